/**
 * Helpers for tests, and the contracts of stores and buses, whose tests JUnit calls.
 */
open module dev.sluice.test {

	requires transitive dev.sluice.core;
	requires transitive java.net.http;
	requires static transitive org.assertj.core;
	requires static transitive org.jspecify;
	requires static transitive org.junit.jupiter.api;
	requires static transitive org.junit.jupiter.params;

	exports dev.sluice.test;
	exports dev.sluice.test.cluster;
	exports dev.sluice.test.socket;
	exports dev.sluice.test.store;

}

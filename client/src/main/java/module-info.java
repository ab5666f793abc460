/**
 * A client of WebSocket sessions that resume after a lost connection.
 */
module dev.sluice.client {

	requires transitive java.net.http;
	requires transitive tools.jackson.databind;
	requires static transitive org.jspecify;

	exports dev.sluice.client;

}

/**
 * Ordered execution, limits and batches. The internals are closed: no other module of
 * Sluice needs them.
 */
module dev.sluice.core {

	requires static transitive org.jspecify;

	exports dev.sluice.batch;
	exports dev.sluice.cluster;
	exports dev.sluice.execution;
	exports dev.sluice.throttle;
	exports dev.sluice.throttle.store;
	exports dev.sluice.time;

}

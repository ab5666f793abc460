/**
 * Ordered execution, limits and batches. The internals are closed, but for the building
 * blocks that the other modules share.
 */
@SuppressWarnings("module")
module dev.sluice.core {

	requires static transitive org.jspecify;

	exports dev.sluice.batch;
	exports dev.sluice.bus;
	exports dev.sluice.execution;
	exports dev.sluice.internal to dev.sluice.autoconfigure, dev.sluice.cluster, dev.sluice.jdbc,
			dev.sluice.redis, dev.sluice.spring, dev.sluice.websocket;
	exports dev.sluice.throttle;
	exports dev.sluice.throttle.internal.failover to dev.sluice.jdbc, dev.sluice.redis;
	exports dev.sluice.throttle.store;
	exports dev.sluice.time;

}

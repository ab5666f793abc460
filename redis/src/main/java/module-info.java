/**
 * Limits and sessions on many nodes, over Redis. Users need {@code dev.sluice.redis} and
 * {@code dev.sluice.redis.bus} alone.
 */
@SuppressWarnings({ "requires-automatic", "requires-transitive-automatic" })
module dev.sluice.redis {

	requires io.netty.buffer;
	requires io.netty.common;
	requires reactor.core;
	requires transitive dev.sluice.core;
	requires transitive lettuce.core;
	requires static transitive org.jspecify;

	exports dev.sluice.redis;
	exports dev.sluice.redis.bus;

}

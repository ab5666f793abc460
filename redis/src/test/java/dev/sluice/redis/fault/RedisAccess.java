package dev.sluice.redis.fault;

import java.util.function.Supplier;

import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.bus.RedisClusterBus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * Way of the nodes to Redis: to one server, by sentinels, or to a cluster.
 *
 * @param limits supplies builders of stores
 * @param bus supplies builders of buses
 */
record RedisAccess(Supplier<RedisThrottleStore.Builder> limits, Supplier<RedisClusterBus.Builder> bus) {

	static RedisAccess of(RedisClient client) {
		return new RedisAccess(() -> RedisThrottleStore.builder(client), () -> RedisClusterBus.builder(client));
	}

	static RedisAccess of(RedisClusterClient client) {
		return new RedisAccess(() -> RedisThrottleStore.builder(client), () -> RedisClusterBus.builder(client));
	}

}

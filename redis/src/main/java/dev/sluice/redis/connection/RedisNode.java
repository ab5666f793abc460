package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * This node: what all its limits in Redis share.
 *
 * @param name what the other nodes know it by
 * @param names what everything is called in Redis
 * @param link the way to Redis
 * @param timer runs what must happen later; nothing that blocks
 * @param lease how long this node's places in line last unless it is heard of
 * @param batch how many permits of a rate it may take at once
 * @param releases what Redis must still hear of
 */
public record RedisNode(String name, KeyNames names, RedisConnections link, ScheduledExecutorService timer,
		Duration lease, int batch, PendingReleases releases) {

	public String leaseMicros() {
		return micros(this.lease);
	}

	public static String micros(Duration time) {
		return Long.toString(time.toNanos() / 1000);
	}

}

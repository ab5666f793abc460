package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Node of an application, with the parts that all its limits in Redis share.
 *
 * @param name by which the other nodes know it
 * @param names of everything in Redis
 * @param commands sends to Redis
 * @param timer runs what must happen later; nothing that blocks
 * @param lease how long this node's places in line last unless it is heard of
 * @param batch how many permits of a rate it may take at once
 * @param releases that Redis must still hear of
 */
public record RedisNode(String name, KeyNames names, CommandSender commands, ScheduledExecutorService timer,
		Duration lease, int batch, PendingReleases releases) {

	public String leaseMicros() {
		return micros(this.lease);
	}

	public static String micros(Duration time) {
		return Long.toString(time.toNanos() / 1000);
	}

}

package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Node of an application, with the parts that all its limits in Redis share.
 *
 * @param name the name of the node
 * @param names the names in Redis
 * @param commands the sender of commands
 * @param timer the timer for actions that do not block
 * @param lease the time after which this node's waiters are dropped without a command
 * @param batch the maximum number of permits of a rate to acquire at once
 * @param releases the pending releases
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

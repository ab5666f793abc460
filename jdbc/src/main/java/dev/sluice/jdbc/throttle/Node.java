package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.jdbc.database.Database;
import dev.sluice.throttle.FailurePolicy;

/**
 * What all limits of this node share.
 *
 * @param name of the node, as no other has it
 * @param database is asked
 * @param timer never blocks
 * @param lease of what is held where the limit does not say
 * @param failurePolicy where the limit does not say
 * @param counters of decisions without the database
 * @param relaxedRates whether rates do not wait for the disk
 * @param relaxedHeld whether grants of held permits do not wait for the disk
 * @param nodes how many nodes there are
 * @param whenFreed told that another node may have been granted something
 * @param whenServed told that this node may have been granted something
 */
public record Node(String name, Database database, ScheduledExecutorService timer, Duration lease,
		FailurePolicy failurePolicy, FailoverCounters counters, boolean relaxedRates, boolean relaxedHeld,
		AtomicInteger nodes, Runnable whenFreed, Runnable whenServed) {

	Duration lease(Definition definition) {
		Duration own = definition.options().lease();
		return (own != null) ? own : this.lease;
	}

	String terms(Definition definition) {
		return Terms.of(definition, lease(definition),
				definition.limit().isHeld() ? this.relaxedHeld : this.relaxedRates);
	}

}

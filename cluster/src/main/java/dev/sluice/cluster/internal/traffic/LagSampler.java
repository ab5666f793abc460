package dev.sluice.cluster.internal.traffic;

import java.time.Duration;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Timer of publications, from publishing until arrival at the same node; locks itself.
 */
final class LagSampler {

	/*
	 * One publication is timed at a time, so memory is constant for any number of
	 * publications, and only this node's clock is read. If a publication does not arrive,
	 * because the message was lost, the timer is free again after a time.
	 *
	 * Attacked by LagSamplerTests.
	 */

	private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

	private final NanoClock clock;

	private volatile @Nullable Sample sample;

	private long count;

	private long totalNanos;

	private @Nullable Duration last;

	LagSampler(NanoClock clock) {
		this.clock = clock;
	}

	/** Called before a message is published. */
	synchronized void publishing(String messageId) {
		Sample present = this.sample;
		long now = this.clock.nanoTime();
		if (present == null || now - present.since() >= PATIENCE) {
			this.sample = new Sample(messageId, now);
		}
	}

	/** Abandons a message that will not arrive here, because no session has joined. */
	void unheard(String messageId) {
		if (isSampled(messageId)) {
			end(messageId, false);
		}
	}

	/** Records the arrival of a message. */
	void heard(String messageId) {
		if (isSampled(messageId)) {
			end(messageId, true);
		}
	}

	/** Takes no lock for the many messages that are not timed. */
	private boolean isSampled(String messageId) {
		Sample present = this.sample;
		return present != null && present.messageId().equals(messageId);
	}

	private synchronized void end(String messageId, boolean heard) {
		Sample present = this.sample;
		if (present != null && present.messageId().equals(messageId)) {
			this.sample = null;
			if (heard) {
				long nanos = this.clock.nanoTime() - present.since();
				this.count++;
				this.totalNanos += nanos;
				this.last = Duration.ofNanos(nanos);
			}
		}
	}

	synchronized Lag lag() {
		return new Lag(this.count, Duration.ofNanos(this.totalNanos), this.last);
	}

	/** The publication that is timed. */
	private record Sample(String messageId, long since) {
	}

	/** Number of timed messages, their total lag, and the latest. */
	record Lag(long count, Duration total, @Nullable Duration last) {
	}

}

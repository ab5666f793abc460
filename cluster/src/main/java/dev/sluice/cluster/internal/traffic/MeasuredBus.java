package dev.sluice.cluster.internal.traffic;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusState;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.SessionRecords;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import dev.sluice.cluster.BusTraffic;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** A bus that counts its traffic. */
public final class MeasuredBus implements ClusterBus {

	private final ClusterBus bus;

	private final @Nullable PresenceRegistry presence;

	private final @Nullable SessionRecords records;

	private final LagSampler lag;

	private final LongAdder sent = new LongAdder();

	private final LongAdder received = new LongAdder();

	private final LongAdder failed = new LongAdder();

	/**
	 * Creates the counts.
	 * @param bus the bus to delegate to
	 * @param clock times publications
	 */
	public MeasuredBus(ClusterBus bus, NanoClock clock) {
		this.bus = bus;
		this.lag = new LagSampler(clock);
		PresenceRegistry presence = bus.presence();
		this.presence = (presence != null) ? new MeasuredPresence(presence) : null;
		SessionRecords records = bus.records();
		this.records = (records != null) ? new MeasuredRecords(records) : null;
	}

	/** Returns the counts so far. */
	public BusTraffic traffic() {
		LagSampler.Lag timed = this.lag.lag();
		return new BusTraffic(this.sent.sum(), this.received.sum(), this.failed.sum(), timed.count(), timed.total(),
				timed.last());
	}

	@Override
	public String node() {
		return this.bus.node();
	}

	@Override
	public Set<String> nodes() {
		return this.bus.nodes();
	}

	@Override
	public BusState state() {
		return this.bus.state();
	}

	@Override
	public void start(BusListener listener) {
		this.bus.start(new CountingListener(listener));
	}

	@Override
	public CompletableFuture<Boolean> send(String node, String frame) {
		this.sent.increment();
		return watched(this.bus.send(node, frame));
	}

	@Override
	public CompletableFuture<Set<String>> broadcast(String frame) {
		this.sent.increment();
		return watched(this.bus.broadcast(frame));
	}

	@Override
	public CompletableFuture<@Nullable Position> join(String name) {
		return watched(this.bus.join(name));
	}

	@Override
	public CompletableFuture<Boolean> occupy(String name, int places, int most) {
		return watched(this.bus.occupy(name, places, most));
	}

	@Override
	public CompletableFuture<@Nullable Void> leave(String name) {
		return watched(this.bus.leave(name));
	}

	@Override
	public CompletableFuture<Set<String>> route(String name, String frame) {
		this.sent.increment();
		return watched(this.bus.route(name, frame));
	}

	@Override
	public CompletableFuture<Published> publish(Publication publication) {
		this.sent.increment();
		String messageId = publication.messageId();
		if (!publication.repeated()) {
			this.lag.publishing(messageId);
		}
		CompletableFuture<Published> outcome = this.bus.publish(publication);
		outcome.whenComplete((published, failure) -> {
			if (failure != null || !published.nodes().contains(node())) {
				this.lag.unheard(messageId);
			}
		});
		return watched(outcome);
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
		return watched(this.bus.read(name, known));
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known, int most) {
		return watched(this.bus.read(name, known, most));
	}

	@Override
	public @Nullable PresenceRegistry presence() {
		return this.presence;
	}

	@Override
	public @Nullable SessionRecords records() {
		return this.records;
	}

	private <T extends @Nullable Object> CompletableFuture<T> watched(CompletableFuture<T> outcome) {
		outcome.whenComplete((result, failure) -> {
			if (failure != null) {
				this.failed.increment();
			}
		});
		return outcome;
	}

	@Override
	public void close() {
		this.bus.close();
	}

	/** Counts the messages that arrive. */
	private final class CountingListener implements BusListener {

		private final BusListener listener;

		CountingListener(BusListener listener) {
			this.listener = listener;
		}

		@Override
		public void received(String frame) {
			MeasuredBus.this.received.increment();
			this.listener.received(frame);
		}

		@Override
		public void published(String name, TopicEntry entry, @Nullable Position before) {
			MeasuredBus.this.received.increment();
			MeasuredBus.this.lag.heard(entry.at().messageId());
			this.listener.published(name, entry, before);
		}

		@Override
		public void interrupted() {
			this.listener.interrupted();
		}

	}

	/** Counts the messages and failures of the presence. */
	private final class MeasuredPresence implements PresenceRegistry {

		private final PresenceRegistry registry;

		MeasuredPresence(PresenceRegistry registry) {
			this.registry = registry;
		}

		@Override
		public CompletableFuture<@Nullable Published> enter(String member, Publication arrival) {
			MeasuredBus.this.sent.increment();
			return watched(this.registry.enter(member, arrival));
		}

		@Override
		public CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure) {
			MeasuredBus.this.sent.increment();
			return watched(this.registry.exit(node, member, departure));
		}

		@Override
		public CompletableFuture<Map<String, Set<String>>> present(String name) {
			return watched(this.registry.present(name));
		}

	}

	/** Counts the failures of the records. */
	private final class MeasuredRecords implements SessionRecords {

		private final SessionRecords records;

		MeasuredRecords(SessionRecords records) {
			this.records = records;
		}

		@Override
		public CompletableFuture<Boolean> keep(SessionRecord record, Duration time) {
			return watched(this.records.keep(record, time));
		}

		@Override
		public CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim, Duration time) {
			return watched(this.records.claim(claim, time));
		}

		@Override
		public CompletableFuture<Boolean> isLatest(String key, long incarnation) {
			return watched(this.records.isLatest(key, incarnation));
		}

		@Override
		public CompletableFuture<@Nullable Void> forget(String key, long incarnation) {
			return watched(this.records.forget(key, incarnation));
		}

	}

}

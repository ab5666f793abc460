package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import dev.sluice.cluster.BusState;
import dev.sluice.cluster.HistoryLimits;
import dev.sluice.cluster.Publication;
import dev.sluice.cluster.SessionRecord;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;

/** The only feature of an application that uses Redis. */
interface RedisUser extends AutoCloseable {

	Duration TIMEOUT = Duration.ofMillis(300);

	/**
	 * Makes one call; throws if it is not answered, by Redis or without it, in time.
	 * @return whether Redis has answered as it does while there is no fault
	 */
	boolean call() throws Exception;

	boolean isUp();

	@Override
	void close();

	/** Returns an application that has limits alone. */
	static RedisUser limits(RedisClient client) {
		RedisThrottleStore store = RedisThrottleStore.builder(client).timeout(TIMEOUT).build();
		ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
		Throttle rate = manager.addOrUpdate("rate", Limit.slidingLog(1_000_000, Duration.ofDays(1)));
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());
		return new RedisUser() {

			@Override
			public boolean call() throws Exception {
				boolean admitted = rate.tryAcquire("k").admitted();
				Permit permit = mutex.acquire("k", 1, Duration.ofSeconds(1))
					.exceptionally((failure) -> null)
					.get(ANSWERED.toMillis(), TimeUnit.MILLISECONDS);
				if (permit != null) {
					permit.close();
				}
				return admitted && permit != null;
			}

			@Override
			public boolean isUp() {
				return !store.snapshot().unavailable();
			}

			@Override
			public void close() {
				store.close();
			}

		};
	}

	/** Returns an application that publishes to a topic alone. */
	static RedisUser topics(RedisClient client) {
		return new BusUser(client, (bus, node) -> bus.publish(new Publication("t:room", UUID.randomUUID().toString(),
				"text", new HistoryLimits(10, Duration.ofMinutes(1)), false)));
	}

	/** Returns an application that counts the sessions of a principal alone. */
	static RedisUser sessions(RedisClient client) {
		return new BusUser(client,
				(bus, node) -> bus.occupy("u:principal", 1, 5).thenApply((room) -> room ? room : null));
	}

	/** Returns an application that sends to another node alone. */
	static RedisUser frames(RedisClient client) {
		return new BusUser(client, (bus, node) -> bus.send(node, "frame").thenApply((heard) -> heard ? heard : null));
	}

	/** Returns an application that keeps what sessions need to be resumed alone. */
	static RedisUser resume(RedisClient client) {
		return new BusUser(client, (bus, node) -> bus
			.keep(new SessionRecord("session", node, 1, List.of("secret"), "owner", "content"), Duration.ofMinutes(1)));
	}

	/** Returns an application that has presence alone. */
	static RedisUser presence(RedisClient client) {
		return new BusUser(client, (bus, node) -> bus.present("t:room"));
	}

	Duration ANSWERED = Duration.ofSeconds(20);

	/** Application that uses a bus in one way. */
	final class BusUser implements RedisUser {

		private final RedisClusterBus bus;

		private final BiFunction<RedisClusterBus, String, CompletableFuture<?>> call;

		BusUser(RedisClient client, BiFunction<RedisClusterBus, String, CompletableFuture<?>> call) {
			this.bus = RedisClusterBus.builder(client)
				.timeout(TIMEOUT)
				.beat(Duration.ofMillis(500))
				.lease(Duration.ofSeconds(2))
				.build();
			this.bus.start(new RecordedFrames());
			this.call = call;
		}

		@Override
		public boolean call() throws Exception {
			return this.call.apply(this.bus, this.bus.node())
				.handle((reply, failure) -> failure == null && reply != null)
				.get(ANSWERED.toMillis(), TimeUnit.MILLISECONDS);
		}

		@Override
		public boolean isUp() {
			return this.bus.state() == BusState.UP && this.bus.nodes().equals(Set.of(this.bus.node()));
		}

		@Override
		public void close() {
			this.bus.close();
		}

	}

}

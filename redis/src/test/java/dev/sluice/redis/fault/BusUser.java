package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import dev.sluice.bus.BusState;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.SessionRecord;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.test.cluster.RecordedFrames;

/** Nodes that use a bus in one way. */
final class BusUser implements RedisUser {

	private final List<RedisClusterBus> nodes = new ArrayList<>();

	private final List<Call> calls;

	private final Duration answered;

	private int next;

	/**
	 * Starts nodes.
	 * @param calls how a node uses the bus, in turn
	 */
	BusUser(RedisAccess access, int nodes, Duration timeout, Call... calls) {
		this.answered = timeout.plus(BUSY);
		this.calls = List.of(calls);
		for (int i = 0; i < nodes; i++) {
			RedisClusterBus bus = access.bus()
				.get()
				.timeout(timeout)
				.beat(Duration.ofMillis(500))
				.lease(timeout.multipliedBy(7))
				.build();
			bus.start(new RecordedFrames());
			this.nodes.add(bus);
		}
	}

	@Override
	public boolean call() throws Exception {
		Call call = this.calls.get(this.next++ % this.calls.size());
		List<CompletableFuture<Boolean>> replies = new ArrayList<>();
		for (int i = 0; i < this.nodes.size(); i++) {
			String other = this.nodes.get((i + 1) % this.nodes.size()).node();
			replies
				.add(call.apply(this.nodes.get(i), other).handle((reply, failure) -> failure == null && reply != null));
		}
		boolean all = true;
		for (CompletableFuture<Boolean> each : replies) {
			all &= each.get(this.answered.toMillis(), TimeUnit.MILLISECONDS);
		}
		return all;
	}

	/** The bus has no policy for failures: each call is sent once, and fails. */
	@Override
	public int commandsOfACall() {
		return this.nodes.size();
	}

	@Override
	public boolean isUp() {
		Set<String> names = this.nodes.stream().map(RedisClusterBus::node).collect(Collectors.toSet());
		return this.nodes.stream().allMatch((bus) -> bus.state() == BusState.UP && bus.nodes().equals(names));
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisClusterBus::close);
	}

	/** Use of a bus, given the name of another node. */
	interface Call extends BiFunction<RedisClusterBus, String, CompletableFuture<?>> {

		Call PUBLISH = (bus, node) -> bus.publish(new Publication("t:room", UUID.randomUUID().toString(), "text",
				new HistoryLimits(10, Duration.ofMinutes(1)), false));

		Call OCCUPY = (bus, node) -> bus.occupy("u:principal", 1, 5).thenApply((room) -> room ? room : null);

		Call SEND = (bus, node) -> bus.send(node, "frame").thenApply((heard) -> heard ? heard : null);

		Call KEEP = (bus, node) -> bus.records()
			.keep(new SessionRecord("session " + bus.node(), bus.node(), 1, List.of("secret"), "owner", "content"),
					Duration.ofMinutes(1));

		Call PRESENT = (bus, node) -> bus.presence().present("t:room");

	}

}

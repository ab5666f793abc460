package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.bus.ClusterBus;
import dev.sluice.cluster.resume.ResumableSessions;
import dev.sluice.cluster.resume.SessionEvictions;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.NodeJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Sessions that nodes hand over to the nodes that have claimed them. */
final class HandOvers implements SessionEvictions {

	/*
	 * A request is put in "open" before it is sent, and removed when its future ends. The
	 * future ends once: by the answer, by the timer, or because the node was not reached.
	 * Attacked by ResumePlacesTests and ResumeHistoryTests.
	 */

	private static final String EVICT = "evict";

	private static final String HANDED = "handed";

	private final JsonMapper mapper = NodeJson.mapper();

	private final ClusterBus bus;

	private final NanoClock clock;

	private final Duration timeout;

	private final AtomicLong numbers = new AtomicLong();

	private final ConcurrentMap<Long, CompletableFuture<@Nullable String>> open = new ConcurrentHashMap<>();

	HandOvers(ClusterBus bus, NanoClock clock, Duration timeout) {
		this.bus = bus;
		this.clock = clock;
		this.timeout = timeout;
	}

	@Override
	public CompletableFuture<@Nullable String> evict(String node, String key, long incarnation) {
		long number = this.numbers.incrementAndGet();
		CompletableFuture<@Nullable String> handed = new CompletableFuture<>();
		this.open.put(number, handed);
		Future<?> timer = this.clock.schedule(() -> handed.complete(null), this.timeout);
		handed.whenComplete((content, failure) -> {
			this.open.remove(number);
			timer.cancel(false);
		});
		this.bus.send(node,
				NodeJson.write(this.mapper.createObjectNode()
					.put(EVICT, number)
					.put("from", this.bus.node())
					.put("key", key)
					.put("incarnation", incarnation)))
			.whenComplete((heard, failure) -> {
				if (!Boolean.TRUE.equals(heard)) {
					handed.complete(null);
				}
			});
		return handed;
	}

	@Override
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Handles a message of a node; returns whether it concerned sessions to hand over.
	 */
	boolean received(String frame, ResumableSessions sessions) {
		if (!frame.startsWith("{\"" + EVICT + '"') && !frame.startsWith("{\"" + HANDED + '"')) {
			return false;
		}
		JsonNode message = this.mapper.readTree(frame);
		if (message.has(EVICT)) {
			handOver(message, sessions);
			return true;
		}
		CompletableFuture<@Nullable String> waiting = this.open.get(message.required(HANDED).asLong());
		if (waiting != null) {
			waiting.complete(message.has("content") ? message.required("content").asString() : null);
		}
		return true;
	}

	private void handOver(JsonNode message, ResumableSessions sessions) {
		String node = message.required("from").asString();
		String key = message.required("key").asString();
		sessions.handOver(key, message.required("incarnation").asLong()).whenComplete((content, failure) -> {
			ObjectNode answer = this.mapper.createObjectNode().put(HANDED, message.required(EVICT).asLong());
			if (content != null) {
				answer.put("content", content);
			}
			this.bus.send(node, NodeJson.write(answer)).whenComplete((nothing, unsent) -> sessions.handedOver(key));
		});
	}

}

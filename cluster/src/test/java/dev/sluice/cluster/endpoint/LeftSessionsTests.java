package dev.sluice.cluster.endpoint;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.endpoint.ResumeNode.Told;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.test.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Connections that end while their node stops or hands their sessions over: the other
 * nodes still get all direct messages.
 */
class LeftSessionsTests {

	/** As the nodes have it. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	/** Run once, when the node is at the moment. */
	private final AtomicReference<@Nullable Runnable> interference = new AtomicReference<>();

	private volatile @Nullable Moment moment;

	/** The answer to a record that is kept, if not that of the bus. */
	private volatile @Nullable CompletableFuture<Boolean> answer;

	private final ResumeNode one = node(interfering(this.bus.connect()));

	private final ResumeNode other = node(this.bus.connect());

	private ResumeNode node(ClusterBus connected) {
		return new ResumeNode(connected, this.clock, new HistoryLimits(5, Duration.ofMinutes(5)),
				ResumeSettings.DEFAULTS);
	}

	private ClusterBus interfering(ClusterBus target) {
		ClusterBus kept = ProxiedRecords.of(target, (records, method, arguments) -> {
			if (!method.getName().equals("keep")) {
				return method.invoke(records, arguments);
			}
			reach(Moment.BEFORE_THE_RECORD_IS_KEPT);
			Object done = method.invoke(records, arguments);
			reach(Moment.AFTER_THE_RECORD_IS_KEPT);
			CompletableFuture<Boolean> until = this.answer;
			return (until != null) ? until : done;
		});
		return ProxiedRecords.with(kept, "node", (call) -> {
			reach(Moment.BEFORE_THE_CONTENT_IS_TAKEN);
			return call.call();
		});
	}

	private void reach(Moment reached) {
		if (this.moment == reached) {
			Runnable task = this.interference.getAndSet(null);
			if (task != null) {
				task.run();
			}
		}
	}

	@AfterEach
	void close() {
		CompletableFuture<Boolean> pending = this.answer;
		if (pending != null) {
			pending.complete(true);
		}
		this.one.close();
		this.other.close();
	}

	@ParameterizedTest
	@EnumSource
	void aConnectionThatEndsWhileItsNodeStopsTakesNothingWithIt(Moment when) {
		Client ann = openWithMessages();
		this.interference.set(() -> ann.lose(CloseStatus.GOING_AWAY));
		this.moment = when;
		this.one.close();
		assertThat(this.interference).hasValue(null);
		assertComplete(this.other.resume(ann));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theEndOfAConnectionIsNoEndOfAnotherSessionThatIsStillToBeLeft(boolean first) {
		Client ann = openWithMessages();
		Client bob = openWithMessages();
		this.interference.set(() -> {
			ann.lose(CloseStatus.GOING_AWAY);
			bob.lose(CloseStatus.GOING_AWAY);
		});
		this.moment = first ? Moment.BEFORE_THE_CONTENT_IS_TAKEN : Moment.AFTER_THE_RECORD_IS_KEPT;
		this.one.close();
		assertComplete(this.other.resume(ann));
		assertComplete(this.other.resume(bob));
	}

	/** The record of a connection that ends is written behind what the node has left. */
	@Test
	void whatANodeHasLeftIsNotOverwritten() {
		Client ann = openWithMessages();
		this.interference.set(this.one.cluster.resumes()::close);
		this.moment = Moment.BEFORE_THE_CONTENT_IS_TAKEN;
		ann.lose(CloseStatus.GOING_AWAY);
		assertThat(this.interference).hasValue(null);
		this.one.close();
		assertComplete(this.other.resume(ann));
	}

	@Test
	void aNodeThatStopsWaitsForItsRecordsAsLongAsAnotherWaitsForItsAnswer() throws InterruptedException {
		Client ann = openWithMessages();
		CompletableFuture<Boolean> slow = new CompletableFuture<>();
		this.answer = slow;
		Thread stopping = new Thread(this.one::close, "stopping");
		stopping.start();
		await().until(() -> stopping.getState() == Thread.State.WAITING);
		this.clock.advance(TIMEOUT.minusMillis(1));
		stopping.join(100);
		assertThat(stopping.isAlive()).isTrue();
		slow.complete(true);
		await().until(() -> !stopping.isAlive());
		assertComplete(this.other.resume(ann));
	}

	@Test
	void aNodeThatDoesNotAnswerIsLeftInTime() {
		openWithMessages();
		this.answer = new CompletableFuture<>();
		Thread stopping = new Thread(this.one::close, "stopping");
		stopping.start();
		await().until(() -> stopping.getState() == Thread.State.WAITING);
		this.clock.advance(TIMEOUT);
		await().until(() -> !stopping.isAlive());
	}

	/** A node knows of others with its next heartbeat. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aNodeThatHasJustStartedHandsItsSessionsOver(boolean connected) {
		Client ann = openWithMessages();
		if (!connected) {
			ann.lose();
		}
		try (ResumeNode unaware = node(unaware(this.bus.connect()))) {
			assertComplete(unaware.resume(ann));
			assertThat(ann.closed != null).isEqualTo(connected);
		}
	}

	private static ClusterBus unaware(ClusterBus target) {
		return ProxiedRecords.with(target, "nodes", (call) -> Set.of(target.node()));
	}

	@Test
	void anAcknowledgementMayFollowTheFirstFrameAtOnce() {
		Client ann = openWithMessages();
		this.one.kill();
		Client told = resumeAndAcknowledgeAtOnce(ann);
		assertThat(told.first().path("direct").asBoolean()).isFalse();
		told.lose();
		assertThat(this.other.resume(told).first().path("direct").asBoolean()).isTrue();
	}

	private Client resumeAndAcknowledgeAtOnce(Client before) {
		this.other.fault = (client) -> {
			this.other.fault = (any) -> {
			};
			client.ack();
		};
		return this.other.resume(before);
	}

	/** The client receives two messages, acknowledges none, and misses two. */
	private Client openWithMessages() {
		Client client = this.one.open(null);
		client.session().post(new Told("a"));
		client.session().post(new Told("b"));
		client.gone = true;
		client.session().post(new Told("c"));
		client.session().post(new Told("d"));
		assertThat(client.texts()).containsExactly("a", "b");
		return client;
	}

	private static void assertComplete(Client back) {
		JsonNode resumed = back.first();
		assertThat(resumed.path("type").asString()).isEqualTo("resumed");
		assertThat(resumed.path("direct").asBoolean()).isTrue();
		assertThat(back.texts()).containsExactly("c", "d");
	}

	private enum Moment {

		/** The session is no longer one of the node. */
		BEFORE_THE_CONTENT_IS_TAKEN,

		BEFORE_THE_RECORD_IS_KEPT,

		AFTER_THE_RECORD_IS_KEPT

	}

}

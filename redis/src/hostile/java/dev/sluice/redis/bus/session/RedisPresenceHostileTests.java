package dev.sluice.redis.bus.session;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.JavaProcess;
import dev.sluice.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Who is present when nodes, which are processes, are killed or paused. */
@Tag("hostile")
@Timeout(60)
class RedisPresenceHostileTests {

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final Queue<String> sent = new ConcurrentLinkedQueue<>();

	private SessionNode node;

	private JavaProcess ann;

	private JavaProcess bob;

	@BeforeEach
	void start() {
		this.node = new SessionNode(this.client, (id, frame) -> this.sent.add(frame));
		this.node.enter("watcher");
		this.ann = JavaProcess.start(SessionNode.class, "" + this.server.port(), "0", "0", "ann");
		this.bob = JavaProcess.start(SessionNode.class, "" + this.server.port(), "0", "0", "bob");
		await().until(() -> joined("ann") == 1 && joined("bob") == 1);
		await().until(() -> this.node.bus.nodes().size() == 3);
	}

	@AfterEach
	void stop() {
		this.ann.close();
		this.bob.close();
		this.node.close();
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.server.close();
	}

	private long joined(String principal) {
		return told("\"joined\":[\"" + principal + "\"]");
	}

	private long left(String principal) {
		return told("\"left\":[\"" + principal + "\"]");
	}

	private long told(String text) {
		return this.sent.stream().filter((frame) -> frame.contains(text)).count();
	}

	private List<String> present() {
		return this.node.cluster.topic(SessionNode.TOPIC_WITH_PRESENCE).presence().join().principals();
	}

	/** Checks what all sessions were sent, once those that are connected know the truth. */
	private void checkHistory(List<String> present) {
		Set<String> truth = Set.copyOf(present);
		await().ignoreExceptions().until(() -> present.equals(present()));
		await().until(() -> history().isTrue(truth, truth));
		history().check(truth, truth);
	}

	private PresenceHistory history() {
		PresenceHistory all = new PresenceHistory("watcher");
		this.sent.forEach((frame) -> all.sent("watcher", frame));
		all.sent(this.ann.printed());
		all.sent(this.bob.printed());
		return all;
	}

	@Test
	void whoWasPresentAtANodeThatIsKilledHasLeftOnceWithinItsLeaseAndASecond() throws InterruptedException {
		this.ann.kill();
		await().atMost(SessionNode.LEASE.plusSeconds(1).plus(SessionNode.BEAT)).until(() -> left("ann") == 1);
		assertThat(present()).containsExactly("bob", "watcher");
		await().during(SessionNode.LEASE).until(() -> left("ann") == 1 && left("bob") == 0);
		checkHistory(List.of("bob", "watcher"));
	}

	@Test
	void whoIsPresentAtANodeThatWasPausedHasLeftAndIsBackOnce() {
		this.ann.pause();
		await().until(() -> left("ann") == 1);
		this.ann.goOn();
		await().until(() -> joined("ann") == 2);
		await().during(SessionNode.LEASE).until(() -> joined("ann") == 2 && left("ann") == 1);
		assertThat(present()).containsExactly("ann", "bob", "watcher");
		checkHistory(List.of("ann", "bob", "watcher"));
	}

	@Test
	void allArePresentAgainWhenTheServerHasForgottenThem() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().flushall();
		}
		checkHistory(List.of("ann", "bob", "watcher"));
	}

}

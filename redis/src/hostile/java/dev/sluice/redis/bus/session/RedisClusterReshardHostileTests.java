package dev.sluice.redis.bus.session;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.redis.RedisCluster;
import dev.sluice.redis.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three processes with publishers, and sessions that join and leave at random, over a
 * cluster whose slots move, which gets a master and loses it, and one of whose masters is
 * killed. What each session was sent is compared with all that was published.
 */
@Tag("hostile")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RedisClusterReshardHostileTests {

	private static final int MOVES = 12;

	private final Random random = new Random(42);

	private final NodeProcesses nodes = new NodeProcesses();

	@TempDir
	private Path directory;

	private RedisCluster cluster;

	@AfterEach
	void stop() {
		this.nodes.close();
		if (this.cluster != null) {
			this.cluster.close();
		}
	}

	@Test
	void withoutShardedChannelsNothingIsLostWhileSlotsMove() {
		nothingIsLostWhileSlotsMove(RedisServer.bundled());
	}

	@Test
	@EnabledIf("isInstalled")
	void withShardedChannelsNothingIsLostWhileSlotsMove() {
		nothingIsLostWhileSlotsMove(RedisServer.installed().orElseThrow());
	}

	static boolean isInstalled() {
		return RedisServer.installed().isPresent();
	}

	private void nothingIsLostWhileSlotsMove(Path executable) {
		this.cluster = new RedisCluster(executable, this.directory);
		for (int index = 0; index < 3; index++) {
			this.nodes.start("cluster:" + this.cluster.port());
		}
		this.nodes.load();
		await().atMost(Duration.ofSeconds(30)).until(() -> this.nodes.sent().messages() > 500);
		List<Integer> slots = slots();
		for (int move = 0; move < MOVES; move++) {
			int slot = slots.get(this.random.nextInt(slots.size()));
			this.cluster.move(slot, (this.cluster.masterOf(slot) + 1 + this.random.nextInt(2)) % 3);
			pause();
		}
		int added = this.cluster.addMaster();
		slots.forEach((slot) -> this.cluster.move(slot, added));
		pause();
		slots.forEach((slot) -> this.cluster.move(slot, 0));
		this.cluster.remove(added);
		pause();
		this.nodes.rest();
		SentMessages moved = this.nodes.sent();
		assertThat(moved.violations()).isEmpty();
		assertThat(moved.gaps()).as("the history has all").isEmpty();

		int replica = this.cluster.addReplica(0);
		this.nodes.load();
		int before = this.nodes.sent().messages();
		await().atMost(Duration.ofSeconds(30)).until(() -> this.nodes.sent().messages() > before + 500);
		this.cluster.failOver(0, replica);
		pause();
		this.nodes.rest();
		SentMessages sent = this.nodes.sent();
		assertThat(sent.violations()).isEmpty();
		assertThat(sent.messages()).isGreaterThan(before + 500);
	}

	/** Returns the slots of the topic, and of some of the other names of the bus. */
	private List<Integer> slots() {
		List<Integer> slots = new ArrayList<>();
		for (int index = 0; index < 3; index++) {
			List<String> keys = this.cluster.at(this.cluster.server(index), (redis) -> redis.keys("sluice:bus:*"));
			keys.stream()
				.filter((key) -> key.endsWith("{t:room}:top") || key.endsWith(":in"))
				.map(SlotHash::getSlot)
				.forEach(slots::add);
		}
		return slots.stream().distinct().toList();
	}

	private void pause() {
		LockSupport.parkNanos(Duration.ofMillis(300 + this.random.nextInt(500)).toNanos());
	}

}

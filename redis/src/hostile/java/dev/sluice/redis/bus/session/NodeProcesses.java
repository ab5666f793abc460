package dev.sluice.redis.bus.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.redis.JavaProcess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Processes with five sessions each, of which five a second are replaced under load. */
final class NodeProcesses implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration HEARD_WITHIN = Duration.ofSeconds(3);

	private final List<JavaProcess> nodes = new ArrayList<>();

	private final List<String> ofTheDead = new ArrayList<>();

	/** Starts one more at a port, or at a cluster. */
	JavaProcess start(String server) {
		JavaProcess node = JavaProcess.start(SessionNode.class, server, "5", "5");
		this.nodes.add(node);
		node.awaitLine("ready");
		return node;
	}

	void kill(JavaProcess node) throws InterruptedException {
		this.nodes.remove(node);
		this.ofTheDead.addAll(node.kill());
	}

	void load() {
		this.nodes.forEach((node) -> node.tell("load"));
	}

	/** Futures end, and all sessions that are there get what is published then. */
	void rest() {
		this.nodes.forEach((node) -> node.tell("rest"));
		Set<String> posted = words(lines(), "B ");
		await().atMost(PATIENCE).untilAsserted(() -> {
			Set<String> ended = words(lines(), "D ");
			ended.addAll(words(lines(), "E "));
			assertThat(ended).as("futures end").containsAll(posted);
		});
		await().atMost(PATIENCE).untilAsserted(() -> {
			String last = "last" + System.nanoTime();
			this.nodes.get(0).tell("post " + last);
			long start = System.nanoTime();
			while (!got(last).containsAll(present()) && System.nanoTime() - start < HEARD_WITHIN.toNanos()) {
				LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
			}
			assertThat(got(last)).as("sessions that were sent '%s'; %s", last, about(last)).containsAll(present());
		});
	}

	/** Returns what nodes have printed about a message that was posted. */
	private List<String> about(String text) {
		return lines().stream().filter((line) -> line.matches("[BDE] " + text + ".*")).toList();
	}

	private Set<String> got(String text) {
		return new SentMessages(lines()).sessionsThatGot(text);
	}

	private List<String> lines() {
		return this.nodes.stream().flatMap((node) -> node.printed().stream()).toList();
	}

	/** Returns what all have been sent, those that were killed as well. */
	SentMessages sent() {
		return new SentMessages(Stream.concat(this.ofTheDead.stream(), lines().stream()).toList());
	}

	private static Set<String> words(List<String> lines, String head) {
		return lines.stream()
			.filter((line) -> line.startsWith(head))
			.map((line) -> line.split(" ")[1])
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** Sessions of nodes that live, which have joined and not left. */
	private Set<String> present() {
		Set<String> present = words(lines(), "J ");
		present.removeAll(words(lines(), "L "));
		return present;
	}

	@Override
	public void close() {
		this.nodes.forEach(JavaProcess::close);
	}

}

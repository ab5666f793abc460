package dev.sluice.jdbc.mutex;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.jdbc.PostgresServer;
import dev.sluice.test.trial.GrantHistory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes, which are processes, hold a mutex by turns; one of them is stopped for longer
 * than a lease, and one killed, with whatever it holds and wherever it waits, and another
 * started, again and again. Nobody is inside beside another, but one that was stopped
 * meanwhile and has not been told yet.
 */
@Tag("hostile")
class JdbcMutexProcessTests {

	private static final int ROUNDS = 4;

	/** How long it may take until a holder is told that its time is over. */
	private static final long MOMENT = 250_000;

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private final String schema = PostgresServer.newSchema();

	private final List<Holding> holdings = new ArrayList<>();

	@Test
	@Timeout(600)
	void nobodyIsInsideBesideAnotherAndTokensGrow() throws Exception {
		List<Node> nodes = new ArrayList<>();
		try {
			for (int i = 0; i < 3; i++) {
				nodes.add(new Node());
			}
			for (int round = 0; round < ROUNDS; round++) {
				Node killed = nodes.remove(0);
				killed.awaitTurns(3);
				nodes.get(0).pause();
				killed.kill();
				nodes.add(new Node());
				nodes.get(1).awaitTurns(10);
				Awaitility.await().pollDelay(MutexHolders.LEASE.multipliedBy(2)).atMost(PATIENCE).until(() -> true);
				nodes.get(0).goOn();
			}
			for (Node node : nodes) {
				node.awaitTurns(3);
			}
		}
		finally {
			for (Node node : nodes) {
				node.kill();
			}
		}

		this.holdings.sort(Comparator.comparingLong(Holding::token));
		assertThat(this.holdings).hasSizeGreaterThan(20);
		assertThat(this.holdings).extracting(Holding::token).doesNotHaveDuplicates();
		List<String> overlaps = new ArrayList<>();
		Holding longest = null;
		for (Holding holding : this.holdings.stream().filter((each) -> !each.stopped()).toList()) {
			if (longest != null && longest.till() - holding.from() > (longest.lost() ? MOMENT : 0)) {
				overlaps.add(holding + " beside " + longest);
			}
			longest = (longest == null || holding.till() > longest.till()) ? holding : longest;
		}
		assertThat(overlaps).isEmpty();
	}

	/**
	 * A time in which a holder believed that it held.
	 *
	 * @param stopped whether its node was stopped meanwhile
	 */
	private record Holding(long token, long from, long till, boolean lost, boolean stopped) {
	}

	/** A process, and what it has printed. */
	private final class Node {

		private final Process process;

		private final Queue<String> lines = new ConcurrentLinkedQueue<>();

		private final Thread reader = new Thread(this::read);

		private final List<Long> stops = new ArrayList<>();

		Node() throws IOException {
			this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", System.getProperty("java.class.path"),
					MutexHolders.class.getName(), PostgresServer.url(), JdbcMutexProcessTests.this.schema)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			this.reader.start();
		}

		private void read() {
			try (BufferedReader output = this.process.inputReader()) {
				output.lines().forEach(this.lines::add);
			}
			catch (IOException | RuntimeException ex) {
				// it was killed
			}
		}

		/** Waits until it has had so many more turns. */
		void awaitTurns(int more) {
			int before = this.lines.size();
			Awaitility.await().atMost(PATIENCE).until(() -> this.lines.size() > before + 2 * more);
		}

		void pause() throws Exception {
			this.stops.add(GrantHistory.now());
			signal("STOP");
		}

		void goOn() throws Exception {
			signal("CONT");
			this.stops.add(GrantHistory.now() + MOMENT);
		}

		private void signal(String name) throws Exception {
			new ProcessBuilder("kill", "-" + name, "" + this.process.pid()).start().waitFor();
		}

		/**
		 * Kills it, and takes up all that it has told of, which
		 * {@link Process#destroyForcibly()} would throw away.
		 */
		void kill() throws InterruptedException {
			long killedAt = GrantHistory.now();
			this.process.toHandle().destroyForcibly();
			this.process.waitFor();
			this.reader.join();
			Map<Long, Long> begun = new HashMap<>();
			for (String line : this.lines) {
				String[] words = line.split(" ");
				if (words.length == 3 && words[0].equals("in")) {
					begun.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
				}
				else if (words.length == 3 && begun.containsKey(Long.parseLong(words[1]))) {
					long token = Long.parseLong(words[1]);
					add(token, begun.remove(token), Long.parseLong(words[2]), words[0].equals("lost"));
				}
			}
			// one that was killed might have been told a moment later
			begun.forEach((token, from) -> add(token, from, Math.max(from, killedAt - MOMENT), false));
		}

		private void add(long token, long from, long till, boolean lost) {
			boolean stopped = false;
			for (int i = 0; i < this.stops.size(); i += 2) {
				long goneOn = (i + 1 < this.stops.size()) ? this.stops.get(i + 1) : Long.MAX_VALUE;
				stopped |= from <= goneOn && till >= this.stops.get(i);
			}
			JdbcMutexProcessTests.this.holdings.add(new Holding(token, from, till, lost, stopped));
		}

	}

}

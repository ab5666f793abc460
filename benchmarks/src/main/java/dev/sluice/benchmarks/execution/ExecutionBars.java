package dev.sluice.benchmarks.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.benchmarks.Scale;

/** Ordered execution: throughput, memory, urgent tasks and fairness. */
public final class ExecutionBars implements BarSuite {

	private static final List<String> THROUGHPUT_JVM = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");

	private static final int FORKS = 5;

	private static final int ROUNDS_PER_FORK = 3;

	/** The default of {@code maxTasksBeforeYield}. */
	private static final int YIELD = 10;

	private static final int IDLE_QUEUES = 10_000;

	private static final long TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	@Override
	public void measure(BarReport report) {
		for (WorkerPool pool : WorkerPool.values()) {
			for (int queues : new int[] { 1_000, 100_000 }) {
				for (int producers : new int[] { 1, 2 }) {
					throughput(report, pool, queues, producers);
				}
			}
		}
		for (int producers : new int[] { 1, 2 }) {
			oneQueue(report, producers);
		}
		idleQueue(report);
		millionQueues(report);
		for (WorkerPool pool : WorkerPool.values()) {
			urgentTask(report, pool);
		}
		for (WorkerPool pool : WorkerPool.values()) {
			floodCounted(report, pool);
			floodTimed(report, pool);
		}
	}

	/**
	 * Measures the cost of a task for increasing numbers of queues.
	 * @param report takes the costs
	 */
	public static void timesByNumber(BarReport report) {
		for (int queues : Scale.sizes()) {
			Rounds rounds = rounds(WorkerPool.FIXED, queues, 1, Contender.SLUICE, Contender.GUAVA_FUTURE);
			report.shown(String.format(Locale.ROOT, "time of a task, %,d queues", queues),
					nanos(rounds, Contender.SLUICE),
					nanos(rounds, Contender.GUAVA_FUTURE) + ' ' + Contender.GUAVA_FUTURE.title);
		}
	}

	/**
	 * Measures the cost of a queue for increasing numbers of queues.
	 * @param report takes the costs
	 */
	public static void bytesByNumber(BarReport report) {
		for (int queues : Scale.sizes()) {
			report.shown(String.format(Locale.ROOT, "bytes of a queue, %,d queues", queues),
					bytes(IdleQueue.sluiceBytes(queues)),
					bytes(IdleQueue.guavaBytes(queues)) + ' ' + Contender.GUAVA.title);
		}
	}

	private static String nanos(Rounds rounds, Contender contender) {
		return BarReport.value(1e3 / rounds.of(contender.title).median(), "ns");
	}

	private void throughput(BarReport report, WorkerPool pool, int queues, int producers) {
		Rounds rounds = rounds(pool, queues, producers, Contender.SLUICE, Contender.GUAVA, Contender.GUAVA_FUTURE,
				Contender.PEKKO_CONTROL);
		String name = load(pool, queues, producers);
		report.atLeast(name, rounds, Contender.SLUICE.title, Contender.GUAVA.title, "M/s", 1.0);
		report.atLeast(name, rounds, Contender.SLUICE.title, Contender.GUAVA_FUTURE.title, "M/s", 1.5);
		report.atLeast(name, rounds, Contender.SLUICE.title, Contender.PEKKO_CONTROL.title, "M/s", 1.0);
	}

	private void oneQueue(BarReport report, int producers) {
		Rounds rounds = rounds(WorkerPool.FIXED, 1, producers, Contender.SLUICE, Contender.NETTY);
		report.atLeast(load(WorkerPool.FIXED, 1, producers), rounds, Contender.SLUICE.title, Contender.NETTY.title,
				"M/s", 0.7);
	}

	private static String load(WorkerPool pool, int queues, int producers) {
		return String.format(Locale.ROOT, "throughput, %s, %,d queue%s, %d producer%s", pool.title, queues,
				(queues > 1) ? "s" : "", producers, (producers > 1) ? "s" : "");
	}

	private static Rounds rounds(WorkerPool pool, int queues, int producers, Contender... contenders) {
		List<Object> arguments = new ArrayList<>(List.of(pool, queues, producers, ROUNDS_PER_FORK));
		arguments.addAll(List.of(contenders));
		Rounds rounds = new Rounds();
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(THROUGHPUT_JVM, ThroughputRounds.class, arguments.toArray()).linesOrThrow());
		}
		return rounds;
	}

	private static void idleQueue(BarReport report) {
		double bytes = IdleQueue.sluiceBytes(IDLE_QUEUES);
		report.counted("idle queue, without id and map entry", bytes(bytes),
				bytes(IdleQueue.guavaBytes(IDLE_QUEUES)) + " " + Contender.GUAVA.title, "<= 128 B", bytes <= 128);
	}

	private static String bytes(double bytes) {
		return String.format(Locale.ROOT, "%.0f B", bytes);
	}

	private static void millionQueues(BarReport report) {
		Fork fork = Fork.run(List.of("-Xmx384m"), MillionQueues.class);
		String used = (fork.exitCode() == 0) ? Long.parseLong(fork.lines().get(0)) / 1_000_000 + " MB"
				: "out of memory";
		report.counted("a million live queues with their ids", used, "", "in 384 MiB", fork.exitCode() == 0);
	}

	private static void urgentTask(BarReport report, WorkerPool kind) {
		int worst = 0;
		for (int queues : new int[] { 1, 1_000, 100_000 }) {
			for (int producers : new int[] { 1, 2, 4 }) {
				for (long work : new long[] { 0, CountingTask.MICROSECOND }) {
					worst = Math.max(worst, startsBeforeUrgentTasks(kind, queues, producers, work));
				}
			}
		}
		report.counted("HIGH behind 10,000 NORMAL, all loads, " + kind.title, worst + " started before", "",
				"<= 1 running", worst <= 1);
	}

	private static int startsBeforeUrgentTasks(WorkerPool kind, int queues, int producers, long work) {
		ExecutorService pool = kind.create();
		ExecutorService producerPool = Executors.newFixedThreadPool(producers);
		try (KeyedExecutor executor = new SluiceExecutor(pool, Integer.MAX_VALUE);
				Backlog backlog = new Backlog(executor, queues, work)) {
			long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
			List<CompletableFuture<Integer>> worst = new ArrayList<>();
			for (int producer = 0; producer < producers; producer++) {
				worst.add(CompletableFuture.supplyAsync(() -> {
					int most = 0;
					do {
						most = Math.max(most, backlog.startsBeforeUrgentTask());
					}
					while (System.nanoTime() < end);
					return most;
				}, producerPool));
			}
			return worst.stream().mapToInt(CompletableFuture::join).max().orElseThrow();
		}
		finally {
			producerPool.shutdown();
			pool.shutdown();
		}
	}

	private static void floodCounted(BarReport report, WorkerPool kind) {
		ExecutorService pool = kind.create();
		int worst = 0;
		try (KeyedExecutor executor = new SluiceExecutor(pool, Integer.MAX_VALUE);
				Flood flood = new Flood(executor, 0)) {
			flood.start();
			for (int round = 0; round < 200; round++) {
				List<CompletableFuture<Integer>> counts = new ArrayList<>();
				for (int quiet = 0; quiet < Flood.QUIET_QUEUES; quiet++) {
					counts.add(flood.startsBeforeQuietTask());
				}
				for (CompletableFuture<Integer> count : counts) {
					worst = Math.max(worst, count.join());
				}
			}
		}
		pool.shutdown();
		report.counted("flood and 99 quiet queues, counted, " + kind.title, worst + " flood tasks", "", "<= " + YIELD,
				worst <= YIELD);
	}

	private static void floodTimed(BarReport report, WorkerPool kind) {
		Rounds rounds = new Rounds();
		String base = "base + " + YIELD + " tasks";
		for (int round = 0; round < FORKS * ROUNDS_PER_FORK; round++) {
			double quiet = quietP99(kind, false);
			rounds.add(base, quiet + YIELD * TASK_NANOS / 1e3);
			rounds.add(Contender.SLUICE.title, quietP99(kind, true));
		}
		report.atMost("flood and 99 quiet queues, p99, " + kind.title, rounds, Contender.SLUICE.title, base, "us", 1.2);
	}

	/** Microseconds. */
	private static double quietP99(WorkerPool kind, boolean flooded) {
		int tasks = 5 * Flood.QUIET_QUEUES;
		ExecutorService pool = kind.create();
		try (KeyedExecutor executor = new SluiceExecutor(pool, Integer.MAX_VALUE);
				Flood flood = new Flood(executor, TASK_NANOS)) {
			if (flooded) {
				flood.start();
			}
			List<CompletableFuture<Double>> waits = new ArrayList<>();
			for (int task = 0; task < tasks; task++) {
				long start = System.nanoTime();
				waits.add(flood.runQuietTask().thenApply((end) -> (System.nanoTime() - start) / 1e3));
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
			double[] sorted = waits.stream().mapToDouble(CompletableFuture::join).sorted().toArray();
			return sorted[(int) (0.99 * tasks)];
		}
		finally {
			pool.shutdown();
		}
	}

}

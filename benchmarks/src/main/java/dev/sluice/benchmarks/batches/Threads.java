package dev.sluice.benchmarks.batches;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The threads that batchers use, and how often they wake up. */
final class Threads {

	/**
	 * Sluice's threads, the JDK's timers, and Reactor's; the kernel keeps 15 characters
	 * of the names.
	 */
	private static final List<String> NAMES = List.of("batches-", "CompletableFutu", "ForkJoinPool", "parallel-");

	private static final AtomicInteger COUNT = new AtomicInteger();

	private Threads() {
	}

	static ExecutorService pool() {
		return pool(2);
	}

	static ExecutorService pool(int size) {
		return Executors.newFixedThreadPool(size, (task) -> {
			Thread thread = new Thread(task, "batches-" + COUNT.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		});
	}

	/** How often such threads have gone to sleep since they started, as Linux counts. */
	static long sleeps() {
		try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
			return tasks.filter((task) -> NAMES.stream().anyMatch(line(task, "Name:")::startsWith))
				.mapToLong((task) -> Long.parseLong(line(task, "voluntary_ctxt_switches:")))
				.sum();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String line(Path task, String key) {
		try (Stream<String> lines = Files.lines(task.resolve("status"))) {
			return lines.filter((line) -> line.startsWith(key))
				.findFirst()
				.orElseThrow()
				.substring(key.length())
				.trim();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

package dev.sluice.throttle;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether a thread parked or met a monitor is what the JVM itself records. */
@Timeout(120)
class NonParkingTests {

	private static final int THREADS = 8;

	private static final int CALLS = 100_000;

	private static final List<String> BLOCKING = List.of("jdk.ThreadPark", "jdk.JavaMonitorEnter",
			"jdk.JavaMonitorWait", "jdk.ThreadSleep");

	@TempDir
	private Path directory;

	@Test
	void noThreadBlocksForARateHoweverManyWantTheSameKey() throws Exception {
		Duration period = Duration.ofMillis(1);
		List<Limit> rates = List.of(Limit.slidingLog(100, period), Limit.fixedWindow(100, period),
				Limit.slidingWindow(100, period, 10), Limit.dynamicWindow(100, 1, 100, period, 10),
				Limit.tokenBucket(100, 100, period));
		List<Throttle> throttles = throttles(rates);
		callAtOnce(throttles, CALLS / 100);

		assertThat(blocked(() -> callAtOnce(throttles, CALLS))).isEmpty();
	}

	private static List<Throttle> throttles(List<Limit> rates) {
		ThrottlingManager manager = ThrottlingManager.builder().build();
		return rates.stream().map((rate) -> manager.addOrUpdate(rate.toString(), rate)).toList();
	}

	/** The first calls load classes, for which the JVM blocks whoever comes second. */
	private static void callAtOnce(List<Throttle> throttles, int calls) throws InterruptedException {
		for (Throttle throttle : throttles) {
			atOnce(() -> {
				for (int call = 0; call < calls; call++) {
					throttle.tryAcquireNanos("", 1);
					throttle.tryAcquire("key-" + call % 5);
				}
			});
		}
	}

	@Test
	void theRecordingSeesAThreadThatParksInAThrottle() throws Exception {
		ThrottlingManager manager = ThrottlingManager.builder().clock(() -> {
			LockSupport.parkNanos(1);
			return System.nanoTime();
		}).build();
		Throttle throttle = manager.addOrUpdate("rate", Limit.fixedWindow(1, Duration.ofSeconds(1)));

		assertThat(blocked(throttle::tryAcquire)).isNotEmpty();
	}

	/** Returns when something of ours blocked a thread meanwhile. */
	private List<RecordedEvent> blocked(Action action) throws Exception {
		Path file = this.directory.resolve("blocked.jfr");
		try (Recording recording = new Recording()) {
			BLOCKING.forEach((event) -> recording.enable(event).withThreshold(Duration.ZERO).withStackTrace());
			recording.start();
			action.run();
			recording.stop();
			recording.dump(file);
		}
		return RecordingFile.readAllEvents(file).stream().filter(NonParkingTests::isOurs).toList();
	}

	private static boolean isOurs(RecordedEvent event) {
		return event.getStackTrace() != null && event.getStackTrace()
			.getFrames()
			.stream()
			.map((frame) -> frame.getMethod().getType().getName())
			.anyMatch((type) -> type.startsWith("dev.sluice.throttle.") && !type.contains("Tests"));
	}

	private static void atOnce(Runnable action) throws InterruptedException {
		CyclicBarrier start = new CyclicBarrier(THREADS);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(() -> {
				await(start);
				action.run();
			});
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** What is recorded. */
	@FunctionalInterface
	private interface Action {

		void run() throws InterruptedException, IOException;

	}

}

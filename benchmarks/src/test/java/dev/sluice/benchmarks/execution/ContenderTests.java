package dev.sluice.benchmarks.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A contender that loses or reorders tasks would win benchmarks. */
@Timeout(60)
class ContenderTests {

	private static final int TASKS = 1_000;

	private static final int QUEUES = 10;

	private final List<AutoCloseable> resources = new ArrayList<>();

	@ParameterizedTest
	@MethodSource("contenders")
	void runsEachTaskOnceAndInTheOrderOfItsId(Contender contender, WorkerPool kind) throws InterruptedException {
		KeyedExecutor executor = create(contender, kind);
		List<List<Integer>> ran = IntStream.range(0, QUEUES).mapToObj((queue) -> newList()).toList();
		CountDownLatch end = new CountDownLatch(TASKS);
		for (int i = 0; i < TASKS; i++) {
			int task = i;
			List<Integer> queue = ran.get(task % QUEUES);
			executor.execute("session-" + task % QUEUES, () -> {
				queue.add(task);
				end.countDown();
			});
		}

		assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(ran).allSatisfy((queue) -> {
			assertThat(queue).hasSize(TASKS / QUEUES);
			if (contender != Contender.UNORDERED) {
				assertThat(queue).isSorted();
			}
		});
	}

	@ParameterizedTest
	@MethodSource("contenders")
	void endsABatchOfTheLoad(Contender contender, WorkerPool kind) {
		KeyedExecutor executor = create(contender, kind);
		try (Load load = new Load(1_000, 2, 0)) {
			load.run(executor);
			load.run(executor);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SLUICE", "PEKKO_CONTROL" })
	void runsUrgentTasksBeforeABacklog(Contender contender) {
		KeyedExecutor executor = create(contender, WorkerPool.FIXED);
		try (Backlog backlog = new Backlog(executor, 2, 0)) {
			assertThat(backlog.startsBeforeUrgentTask()).isLessThanOrEqualTo(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SLUICE", "PEKKO_CONTROL", "NETTY", "GUAVA" })
	void runsQuietTasksBesideAFlood(Contender contender) {
		KeyedExecutor executor = create(contender, WorkerPool.FIXED);
		try (Flood flood = new Flood(executor, 0)) {
			flood.start();
			assertThat(flood.startsBeforeQuietTask()).succeedsWithin(Duration.ofSeconds(30));
		}
	}

	static Stream<Arguments> contenders() {
		return Stream.of(Contender.values())
			.flatMap((contender) -> Stream.of(WorkerPool.values()).map((kind) -> Arguments.of(contender, kind)));
	}

	private KeyedExecutor create(Contender contender, WorkerPool kind) {
		ExecutorService pool = kind.create();
		KeyedExecutor executor = contender.create(kind, pool, Load.BATCH);
		this.resources.add(executor);
		this.resources.add(pool::shutdown);
		return executor;
	}

	/** Safe for the unordered floor too. */
	private static List<Integer> newList() {
		return Collections.synchronizedList(new ArrayList<>());
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable resource : this.resources) {
			resource.close();
		}
	}

}

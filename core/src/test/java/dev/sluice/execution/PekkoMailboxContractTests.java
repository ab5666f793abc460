package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Pekko's tests ask of the dispatchers and mailboxes of actors, asked of queues: one
 * message at a time, waves of actors, interrupts, suspension, control messages first.
 */
class PekkoMailboxContractTests {

	private static final int WAVES = 3;

	private static final int ACTORS = 1_000;

	private static final int MESSAGES = 10;

	@ParameterizedTest
	@EnumSource
	void actorHandlesOneMessageAtATimeFromManySenders(Pools kind) throws Exception {
		ExecutorService pool = kind.create(4);
		try (SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool).build()) {
			int[] handled = new int[1];
			AtomicInteger inside = new AtomicInteger();
			AtomicInteger overlaps = new AtomicInteger();
			List<CompletableFuture<?>> senders = new ArrayList<>();
			for (int sender = 0; sender < 10; sender++) {
				senders.add(CompletableFuture.runAsync(() -> {
					for (int i = 0; i < MESSAGES; i++) {
						executor.execute("actor", Level.NORMAL, () -> {
							overlaps.addAndGet(inside.getAndIncrement());
							handled[0]++;
							inside.decrementAndGet();
						});
					}
				}, (body) -> new Thread(body).start()));
			}
			CompletableFuture.allOf(senders.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
			executor.drain().get(30, TimeUnit.SECONDS);

			assertThat(overlaps).hasValue(0);
			assertThat(handled[0]).isEqualTo(10 * MESSAGES);
		}
		finally {
			pool.shutdown();
		}
	}

	@ParameterizedTest
	@EnumSource
	void wavesOfActorsComeAndGo(Pools kind) throws Exception {
		ExecutorService pool = kind.create(2);
		try (SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool).build()) {
			AtomicInteger handled = new AtomicInteger();
			for (int wave = 0; wave < WAVES; wave++) {
				List<CompletableFuture<?>> stopped = new ArrayList<>();
				for (int actor = 0; actor < ACTORS; actor++) {
					TaskQueue mailbox = executor.queue("actor-" + actor);
					for (int i = 0; i < MESSAGES; i++) {
						mailbox.execute(Level.NORMAL, handled::incrementAndGet);
					}
					stopped.add(mailbox.remove());
				}
				CompletableFuture.allOf(stopped.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
			}

			assertThat(handled).hasValue(WAVES * ACTORS * MESSAGES);
			assertThat(executor.snapshot(0).queues()).isZero();
			assertThat(executor.snapshot(0).completed()).isEqualTo(WAVES * ACTORS * MESSAGES);
		}
		finally {
			pool.shutdown();
		}
	}

	@ParameterizedTest
	@EnumSource
	void interruptOfAWorkerReachesNoMessageBehind(Pools kind) throws Exception {
		ExecutorService pool = kind.create(1);
		try (SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool).build()) {
			List<LeveledTask<Boolean>> answers = new ArrayList<>();
			for (int i = 0; i < MESSAGES; i++) {
				executor.execute("actor-" + i % 2, Level.NORMAL, () -> {
					Thread.currentThread().interrupt();
					throw new IllegalStateException("ping");
				});
				answers
					.add(executor.submit("actor-" + i % 2, Level.NORMAL, () -> Thread.currentThread().isInterrupted()));
			}

			for (LeveledTask<Boolean> answer : answers) {
				assertThat(answer.get(30, TimeUnit.SECONDS)).isFalse();
			}
		}
		finally {
			pool.shutdown();
		}
	}

	@ParameterizedTest
	@EnumSource
	void suspendedActorHandlesNothingUntilItIsResumed(Pools kind) throws Exception {
		ExecutorService pool = kind.create(2);
		try (SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool).build()) {
			TaskQueue suspended = executor.queue("suspended");
			suspended.pause();
			CountDownLatch handled = new CountDownLatch(1);
			suspended.execute(Level.HIGH, handled::countDown);
			for (int i = 0; i < MESSAGES; i++) {
				executor.submit("other", Level.NORMAL, () -> 1).get(30, TimeUnit.SECONDS);
			}
			assertThat(handled.getCount()).isOne();
			suspended.resume();

			assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			pool.shutdown();
		}
	}

	@Test
	void controlMessagesOvertakeWhateverWaitsEachTime() {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(workers)
			.maxTasksBeforeYield(1)
			.build();
		List<String> handled = new ArrayList<>();
		for (int i = 1; i <= 3; i++) {
			String number = String.valueOf(i);
			executor.execute("actor", Level.NORMAL, () -> {
				handled.add("message " + number);
				executor.execute("actor", Level.HIGH, () -> handled.add("control of " + number));
			});
			executor.execute("rival", Level.NORMAL, () -> {
			});
		}
		executor.execute("actor", Level.HIGH, () -> handled.add("control"));
		workers.runAll();

		assertThat(handled).containsExactly("control", "message 1", "control of 1", "message 2", "control of 2",
				"message 3", "control of 3");
	}

}

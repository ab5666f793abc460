package dev.sluice.redis.bus.partition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisErrors;
import org.jspecify.annotations.Nullable;

/** Commands of one partition of a cluster, sent in order even while its slot moves. */
public final class PartitionCommands {

	/*
	 * A command was not run if the server that answered it does not have the whole slot.
	 * From then on the partition is held: that command and later ones wait, in the order
	 * of their numbers, until no command is in flight. Then the first command is sent
	 * alone, and repeated, as its new server may not be connected yet. The others follow
	 * when it was run or has failed for another reason. A command that has waited for
	 * longer than the timeout is rejected.
	 *
	 * All fields are guarded by this, except the commands that are ready, which one
	 * thread at a time sends in order. No command is sent and no future completed under
	 * the lock, as the client may hold a lock of its own.
	 *
	 * Attacked by PartitionCommandsTests and RedisClusterSlotsTests.
	 */

	private static final Duration PAUSE = Duration.ofMillis(30);

	private final Supplier<@Nullable CommandSender> master;

	private final Runnable moved;

	private final ScheduledExecutorService timer;

	private final Duration timeout;

	private final PriorityQueue<Command<?>> waiting = new PriorityQueue<>();

	private final Queue<Command<?>> ready = new ConcurrentLinkedQueue<>();

	/** Number of ready commands; the thread that raises it from zero sends them. */
	private final AtomicInteger unsent = new AtomicInteger();

	private @Nullable Command<?> first;

	private long numbers;

	private int underWay;

	private boolean held;

	/**
	 * Creates an instance without commands.
	 * @param master the supplier of the sender for the server that has the partition, if
	 * known
	 * @param moved the callback for a partition that has moved, or is moving
	 * @param timer the timer for repeated commands
	 * @param timeout the maximum time that a command may wait
	 */
	public PartitionCommands(Supplier<@Nullable CommandSender> master, Runnable moved, ScheduledExecutorService timer,
			Duration timeout) {
		this.master = master;
		this.moved = moved;
		this.timer = timer;
		this.timeout = timeout;
	}

	public <T> CompletableFuture<T> send(Function<CommandSender, CompletableFuture<T>> call) {
		Command<T> command;
		synchronized (this) {
			command = new Command<>(this.numbers++, call, System.nanoTime());
			if (this.held) {
				this.waiting.add(command);
			}
			else {
				makeReady(command);
			}
		}
		sendReady();
		return command.result;
	}

	private void makeReady(Command<?> command) {
		this.underWay++;
		this.ready.add(command);
	}

	private void sendReady() {
		if (this.ready.isEmpty() || this.unsent.getAndIncrement() > 0) {
			return;
		}
		int seen = 1;
		while (seen > 0) {
			Command<?> command;
			while ((command = this.ready.poll()) != null) {
				command.send(this.master.get());
			}
			seen = this.unsent.addAndGet(-seen);
		}
	}

	/** Returns whether a command is completed, and not sent again. */
	private boolean answered(Command<?> command, @Nullable Throwable failure) {
		List<Command<?>> late = new ArrayList<>();
		boolean again;
		boolean pause;
		synchronized (this) {
			this.underWay--;
			again = failure != null && !isLate(command)
					&& (RedisErrors.isElsewhere(failure) || command == this.first && RedisErrors.isUnsent(failure));
			if (again) {
				this.held = true;
				this.waiting.add(command);
			}
			else if (command == this.first) {
				this.held = false;
				while (!this.waiting.isEmpty()) {
					Command<?> next = this.waiting.remove();
					if (isLate(next)) {
						late.add(next);
					}
					else {
						makeReady(next);
					}
				}
			}
			if (command == this.first) {
				this.first = null;
			}
			pause = this.held && this.underWay == 0;
		}
		late.forEach(Command::reject);
		sendReady();
		if (pause) {
			this.moved.run();
			later();
		}
		return !again;
	}

	private void later() {
		try {
			this.timer.schedule(this::sendFirst, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			close();
		}
	}

	private void sendFirst() {
		List<Command<?>> late = new ArrayList<>();
		Command<?> first = null;
		synchronized (this) {
			while (first == null && !this.waiting.isEmpty()) {
				Command<?> next = this.waiting.remove();
				if (isLate(next)) {
					late.add(next);
				}
				else {
					first = next;
					makeReady(first);
				}
			}
			this.first = first;
			this.held = first != null;
		}
		late.forEach(Command::reject);
		sendReady();
	}

	private boolean isLate(Command<?> command) {
		return System.nanoTime() - command.since > this.timeout.toNanos();
	}

	/** Rejects all waiting commands. */
	public void close() {
		List<Command<?>> rejected;
		synchronized (this) {
			rejected = List.copyOf(this.waiting);
			this.waiting.clear();
		}
		rejected.forEach(Command::reject);
	}

	/** Command, ordered by its number. */
	private final class Command<T> implements Comparable<Command<?>> {

		private final long number;

		private final Function<CommandSender, CompletableFuture<T>> call;

		private final long since;

		private final CompletableFuture<T> result = new CompletableFuture<>();

		private Command(long number, Function<CommandSender, CompletableFuture<T>> call, long since) {
			this.number = number;
			this.call = call;
			this.since = since;
		}

		private void send(@Nullable CommandSender master) {
			CompletableFuture<T> answer = (master != null) ? this.call.apply(master)
					: CompletableFuture.failedFuture(CommandSender.notConnected());
			answer.whenComplete((reply, failure) -> {
				if (answered(this, failure)) {
					if (failure == null) {
						this.result.complete(reply);
					}
					else {
						this.result.completeExceptionally(RedisErrors.cause(failure));
					}
				}
			});
		}

		private void reject() {
			this.result.completeExceptionally(CommandSender.notConnected());
		}

		@Override
		public int compareTo(Command<?> other) {
			return Long.compare(this.number, other.number);
		}

	}

}

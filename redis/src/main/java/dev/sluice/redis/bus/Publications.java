package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.redis.bus.partition.BusChannels;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.Script;
import org.jspecify.annotations.Nullable;

/** Publications of one node; concurrent publications to a name share a command. */
final class Publications {

	/*
	 * One command of a name is in flight at a time, and later messages wait for the next
	 * one, in their order. So the messages of a node are published in the order in which
	 * they are passed to it. A name has a line in the map while a command is in flight.
	 * The thread that adds the line sends the first command, and the thread that receives
	 * a reply sends the next one, so no two threads send for the same name. The next
	 * command is sent before the futures of the previous one are completed, as their
	 * dependents may take long.
	 *
	 * The timeout of a message includes its time in the line. The timeout of a command is
	 * the remaining time of its first message, and a message with too little time left is
	 * not sent. The first message is the oldest one, so each message of the command
	 * completes within its own timeout.
	 *
	 * A message that may have been published already is sent at once, in a command of its
	 * own.
	 *
	 * Attacked by PublicationsTests, RedisClusterBusTests and
	 * RedisClusterHistoryHostileTests.
	 */

	/** Maximum number of messages and of characters in one command. */
	static final int MOST = 64;

	static final int MOST_LENGTH = 1 << 16;

	/** Divisor of the timeout; a message with less than that part left is not sent. */
	private static final int LAST_PART = 4;

	private final BusNames names;

	private final Supplier<BusChannels> channels;

	private final BusCommands commands;

	private final long timeoutNanos;

	private final Duration interest;

	private final ConcurrentMap<String, Deque<Message>> lines = new ConcurrentHashMap<>();

	/**
	 * Creates an instance without messages.
	 * @param timeout the timeout of a message
	 * @param interest the time after which a name expires
	 */
	Publications(BusNames names, Supplier<BusChannels> channels, BusCommands commands, Duration timeout,
			Duration interest) {
		this.names = names;
		this.channels = channels;
		this.commands = commands;
		this.timeoutNanos = timeout.toNanos();
		this.interest = interest;
	}

	/** Publishes a message after the earlier messages of its name. */
	CompletableFuture<Published> publish(Publication publication) {
		if (publication.repeated()) {
			return ask(Script.BUS_PUBLISH, publication).thenApply(BusReplies::published);
		}
		Message message = new Message(publication);
		BusUnavailableException rejection = this.commands.tryAdmit(message.length());
		if (rejection != null) {
			return CompletableFuture.failedFuture(rejection);
		}
		this.lines.compute(publication.name(), (name, line) -> {
			if (line == null) {
				return new ArrayDeque<>();
			}
			message.waits = true;
			line.add(message);
			return line;
		});
		if (!message.waits) {
			send(publication.name(), List.of(message));
		}
		return message.result;
	}

	private void send(String name, List<Message> first) {
		List<Message> call = first;
		while (!call.isEmpty()) {
			List<Message> sent = call;
			CompletableFuture<List<Published>> answer = ask(sent);
			if (!answer.isDone()) {
				answer.whenComplete((published, failure) -> {
					send(name, next(name));
					complete(sent, published, failure);
				});
				return;
			}
			call = next(name);
			answer.whenComplete((published, failure) -> complete(sent, published, failure));
		}
	}

	/**
	 * Removes the messages of the next command from the line, and an empty line from the
	 * map.
	 */
	private List<Message> next(String name) {
		List<Message> late = new ArrayList<>();
		List<Message> next = new ArrayList<>();
		this.lines.compute(name, (key, line) -> {
			int length = 0;
			while (line != null && !line.isEmpty() && line.element().fits(next, length)) {
				Message message = line.remove();
				if (next.isEmpty() && isLate(message)) {
					late.add(message);
				}
				else {
					next.add(message);
					length += message.length();
				}
			}
			return next.isEmpty() ? null : line;
		});
		late.forEach((message) -> {
			this.commands.over(message.length());
			message.result
				.completeExceptionally(new BusUnavailableException("Redis did not answer in time", false, null));
		});
		return next;
	}

	private boolean isLate(Message message) {
		return this.timeoutNanos - message.waitedNanos() < this.timeoutNanos / LAST_PART;
	}

	private CompletableFuture<List<Published>> ask(List<Message> call) {
		List<Publication> publications = call.stream().map(Message::publication).toList();
		String[] keys = keys(publications.get(0));
		String[] arguments = arguments(publications);
		return this.commands
			.admitted(Partitions.in(keys[0]), call.get(0).waitedNanos(),
					(commands) -> commands.ask(Script.BUS_PUBLISH, keys, arguments),
					() -> call.forEach((message) -> this.commands.over(message.length())))
			.thenApply(
					(reply) -> BusReplies.published(reply, publications.stream().map(Publication::messageId).toList()));
	}

	/** Runs a script that publishes a single message. */
	CompletableFuture<List<Object>> ask(Script script, Publication publication, String... more) {
		return this.commands.asked(publication.payload().length(), script, keys(publication),
				arguments(List.of(publication), more));
	}

	private String[] keys(Publication publication) {
		return this.names.published(publication.name());
	}

	private String[] arguments(List<Publication> publications, String... more) {
		Publication first = publications.get(0);
		List<String> arguments = new ArrayList<>();
		arguments.add(Integer.toString(first.limits().size()));
		arguments.add(Long.toString(first.limits().time().toMillis()));
		arguments.add(this.channels.get().nodes(Partitions.of(first.name())));
		arguments.add(BusMessages.head(first.name()));
		arguments.add(first.repeated() ? "1" : "0");
		arguments.add(Long.toString(this.interest.toMillis()));
		for (Publication publication : publications) {
			arguments.add(publication.messageId());
			arguments.add(publication.payload());
		}
		Collections.addAll(arguments, more);
		return arguments.toArray(String[]::new);
	}

	private static void complete(List<Message> sent, @Nullable List<Published> published, @Nullable Throwable failure) {
		for (int index = 0; index < sent.size(); index++) {
			if (failure != null) {
				sent.get(index).result.completeExceptionally(RedisErrors.cause(failure));
			}
			else if (published != null) {
				sent.get(index).result.complete(published.get(index));
			}
		}
	}

	/** Message whose publication is not confirmed yet. */
	private static final class Message {

		private final Publication publication;

		private final long since = System.nanoTime();

		private final CompletableFuture<Published> result = new CompletableFuture<>();

		/** Whether a line existed; written by the publishing thread. */
		private boolean waits;

		Message(Publication publication) {
			this.publication = publication;
		}

		Publication publication() {
			return this.publication;
		}

		int length() {
			return this.publication.payload().length();
		}

		long waitedNanos() {
			return System.nanoTime() - this.since;
		}

		/**
		 * Returns whether this message fits into a command with others of a total length.
		 */
		boolean fits(List<Message> others, int length) {
			return others.isEmpty() || others.size() < MOST && length + length() <= MOST_LENGTH
					&& others.get(0).publication().limits().equals(this.publication.limits());
		}

	}

}

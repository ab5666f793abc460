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

import dev.sluice.cluster.BusUnavailableException;
import dev.sluice.cluster.Publication;
import dev.sluice.cluster.Published;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.Script;
import org.jspecify.annotations.Nullable;

/** Publications of one node: those of a name that come together are one call. */
final class Publications {

	/*
	 * One call of a name is under way at a time, and what is published meanwhile waits
	 * for the next, in its order; so messages of a node are published in the order in
	 * which they came. A name has a line in the map as long as a call is under way. Who
	 * adds a line sends, and then whoever has the answer does: so no two threads send for
	 * the same name. The next call is sent before the answered futures are completed, as
	 * their dependents may take long.
	 *
	 * A message has as long as an answer may take since it came, in the line too: a call
	 * has what its first message has left, and one with too little left is not sent any
	 * more. As a call ends in the time of its first message, which came before all in the
	 * line, each of these ends in its own.
	 *
	 * One that may have been published already is sent at once and by itself.
	 *
	 * Attacked by PublicationsTests, RedisClusterBusTests and
	 * RedisClusterHistoryHostileTests.
	 */

	/** So many messages, and characters, are one call. */
	static final int MOST = 64;

	static final int MOST_LENGTH = 1 << 16;

	/** What has less than such a part of its time left is not sent. */
	private static final int LAST_PART = 4;

	private final BusNames names;

	private final Supplier<BusChannels> channels;

	private final BusCommands commands;

	private final long timeoutNanos;

	private final Duration interest;

	private final ConcurrentMap<String, Deque<Message>> lines = new ConcurrentHashMap<>();

	/**
	 * Publishes nothing yet.
	 * @param timeout how long an answer may take
	 * @param interest how long a name is known
	 */
	Publications(BusNames names, Supplier<BusChannels> channels, BusCommands commands, Duration timeout,
			Duration interest) {
		this.names = names;
		this.channels = channels;
		this.commands = commands;
		this.timeoutNanos = timeout.toNanos();
		this.interest = interest;
	}

	/** Publishes a message behind those that came before. */
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
	 * Takes out of the line what is one call; there is no line any more if it is empty.
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
				.completeExceptionally(new BusUnavailableException("Redis has not answered in time", false, null));
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

	/** Runs a script that publishes a message by itself. */
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

	/** A message that is not published yet, as far as is known. */
	private static final class Message {

		private final Publication publication;

		private final long since = System.nanoTime();

		private final CompletableFuture<Published> result = new CompletableFuture<>();

		/** Whether there was a line; written by who adds it. */
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

		/** Returns whether it can be sent with others, which have a length. */
		boolean fits(List<Message> others, int length) {
			return others.isEmpty() || others.size() < MOST && length + length() <= MOST_LENGTH
					&& others.get(0).publication().limits().equals(this.publication.limits());
		}

	}

}

package dev.sluice.cluster.endpoint;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.Topic;
import dev.sluice.execution.Level;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.FailureLog;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.util.UriTemplate;

/** The topics that the sessions of an endpoint join when they open. */
final class EndpointTopics {

	private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

	private final FailureLog failures = new FailureLog(LogFactory.getLog(EndpointTopics.class), NanoClock.system(),
			"Failed to join");

	private final Class<?> type;

	private final List<String> names;

	private volatile @Nullable SessionCluster cluster;

	private EndpointTopics(Class<?> type, List<String> names) {
		this.type = type;
		this.names = names;
	}

	/**
	 * Reads the names of topics.
	 * @param names names without placeholders
	 * @param paths paths, each of which must have all variables of the names
	 * @throws InvalidEndpointException if a name is not valid
	 */
	static EndpointTopics of(Class<?> type, Collection<String> names, Collection<String> paths) {
		EndpointTopics topics = new EndpointTopics(type, List.copyOf(names));
		topics.names.forEach((name) -> topics.check(name, paths));
		return topics;
	}

	private void check(String name, Collection<String> paths) {
		String text = VARIABLE.matcher(name).replaceAll("");
		if (text.contains("{") || text.contains("}")) {
			throw new InvalidEndpointException(this.type, "Its topic '" + name + "' has a brace that is no variable's",
					"Write a variable of the path as {name}, of letters, digits and underscores.");
		}
		if (name.isEmpty() || text.length() > Topic.MAX_NAME_LENGTH) {
			throw new InvalidEndpointException(this.type,
					"Its topic '" + name + "' must have 1 to " + Topic.MAX_NAME_LENGTH + " characters",
					"Give the topic a name of that length.");
		}
		VARIABLE.matcher(name)
			.results()
			.map((variable) -> variable.group(1))
			.forEach((variable) -> paths.forEach((path) -> checkVariable(name, variable, path)));
	}

	private void checkVariable(String name, String variable, String path) {
		List<String> known = new UriTemplate(path).getVariableNames()
			.stream()
			.map((present) -> present.startsWith("*") ? present.substring(1) : present)
			.toList();
		if (!known.contains(variable)) {
			throw new InvalidEndpointException(this.type,
					"Its topic '" + name + "' names '{" + variable + "}', which its path '" + path + "' does not have",
					known.isEmpty() ? "Name the variable in the path, as in '" + path + "/{" + variable + "}'."
							: "Use one of: " + known.stream().map("{%s}"::formatted).collect(Collectors.joining(", "))
									+ ".");
		}
	}

	/**
	 * Makes sessions join from now on.
	 * @param present the cluster, {@code null} if unavailable
	 * @throws InvalidEndpointException if no cluster is available, or if sessions may not
	 * join so many topics
	 */
	void start(@Nullable SessionCluster present) {
		if (present == null) {
			throw new InvalidEndpointException(this.type, "It has topics, and there is no SessionCluster",
					"Remove 'sluice.cluster.enabled' to have one, or remove 'topics'.");
		}
		int limit = present.maxTopicsPerSession();
		if (this.names.size() > limit) {
			throw new InvalidEndpointException(this.type,
					"It has " + this.names.size() + " topics, and a session may join " + limit,
					"Raise 'sluice.cluster.max-topics-per-session', or name fewer topics.");
		}
		this.cluster = present;
	}

	boolean isEmpty() {
		return this.names.isEmpty();
	}

	/** Makes a session join, before its messages of level {@code NORMAL} are handled. */
	void join(OrderedWebSocketSession session, ManagedSession managed) {
		join(session, managed, Set.of(), () -> {
		});
	}

	/**
	 * Makes a session join the topics that it has not joined yet.
	 * @param joined called when the session has joined all of them
	 */
	void join(OrderedWebSocketSession session, ManagedSession managed, Set<String> members, Runnable joined) {
		if (!isEmpty()) {
			session.inbound()
				.submitStage(Level.HIGH, () -> joinAll(session, managed, members, joined))
				.exceptionally((failure) -> {
					session.rejected(failure);
					return null;
				});
		}
	}

	private CompletionStage<@Nullable Void> joinAll(OrderedWebSocketSession session, ManagedSession managed,
			Set<String> members, Runnable joined) {
		Map<String, String> variables = ManagedConnection.pathVariables(session);
		List<String> wanted;
		try {
			wanted = this.names.stream()
				.map((name) -> expand(name, variables))
				.filter((name) -> !members.contains(name))
				.toList();
		}
		catch (IllegalStateException ex) {
			this.failures.error(() -> "the topics of " + session + ", which is closed", ex);
			session.reject(CloseStatus.SERVER_ERROR, ex);
			return CompletableFuture.completedFuture(null);
		}
		if (!wanted.stream().allMatch(EndpointTopics::isName)) {
			session.reject(CloseStatuses.INVALID_TOPIC, new IllegalArgumentException("Not a valid topic name"));
			return CompletableFuture.completedFuture(null);
		}
		SessionCluster present = Objects.requireNonNull(this.cluster);
		CompletableFuture<?>[] all = wanted.stream()
			.map((name) -> present.topic(name).join(managed))
			.toArray(CompletableFuture[]::new);
		return CompletableFuture.allOf(all).<@Nullable Void>handle((nothing, failure) -> {
			if (failure == null) {
				joined.run();
			}
			else if (session.isOpen()) {
				session.reject(CloseStatuses.TOPICS_UNAVAILABLE, failure);
			}
			return null;
		});
	}

	private static boolean isName(String name) {
		return !name.isEmpty() && name.length() <= Topic.MAX_NAME_LENGTH && EncodedSize.isEncodable(name);
	}

	private String expand(String name, Map<String, String> variables) {
		return VARIABLE.matcher(name).replaceAll((MatchResult variable) -> {
			String value = variables.get(variable.group(1));
			Assert.state(value != null, () -> "Topic '" + name + "' of " + this.type.getName()
					+ " has a variable that is not among the session's path variables " + variables.keySet());
			return Matcher.quoteReplacement(value);
		});
	}

}

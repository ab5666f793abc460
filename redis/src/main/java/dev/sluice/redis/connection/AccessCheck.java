package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** Startup check of the permissions of a node in Redis. */
public final class AccessCheck {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final Pattern CHANNEL = Pattern.compile("\\bchannels?\\b");

	private static final Pattern KEY = Pattern.compile("\\bkeys?\\b");

	private final RedisConnections connections;

	private final CommandSender commands;

	private final String prefix;

	/**
	 * Creates a check.
	 * @param prefix the prefix of the names of all keys and channels
	 */
	public AccessCheck(RedisConnections connections, CommandSender commands, String prefix) {
		this.connections = connections;
		this.commands = commands;
		this.prefix = prefix;
	}

	/**
	 * Tries the commands that the user of Redis needs; blocks for two seconds at most.
	 * @param script the script that tries the commands
	 * @param channel the channel that it publishes to
	 * @param keys the keys, of which it uses the first
	 * @return the problem if it remains until the configuration is changed, or
	 * {@code null} without such a problem or without a reply
	 */
	public @Nullable String problem(Script script, String channel, String... keys) {
		Throwable failure = this.connections.failure();
		if (failure != null) {
			return problem(failure);
		}
		try {
			List<Object> refused = this.commands.ask(script, keys, channel)
				.completeOnTimeout(List.of(), TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
				.join();
			Set<String> rules = new TreeSet<>();
			for (Object each : refused) {
				String text = (String) each;
				if (RedisErrors.isNotPermitted(text)) {
					rules.add(rule(text.substring(0, text.indexOf(':')), text));
				}
			}
			return rules.isEmpty() ? null : "The Redis user lacks rights; the missing ACL rules are " + rules;
		}
		catch (CompletionException ex) {
			return problem(RedisErrors.cause(ex));
		}
	}

	private @Nullable String problem(Throwable failure) {
		String problem = RedisErrors.permanentProblem(failure);
		if (problem == null || !RedisErrors.isNotPermitted(problem)) {
			return problem;
		}
		return problem + "; the missing ACL rule is "
				+ rule(problem.contains("subscribe") ? "SUBSCRIBE" : "EVAL, EVALSHA or SUBSCRIBE", problem);
	}

	private String rule(String command, String error) {
		if (CHANNEL.matcher(error).find()) {
			return '&' + this.prefix + '*';
		}
		return KEY.matcher(error).find() ? '~' + this.prefix + '*' : '+' + command.toLowerCase(Locale.ROOT);
	}

}

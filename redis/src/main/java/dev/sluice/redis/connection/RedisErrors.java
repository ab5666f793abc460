package dev.sluice.redis.connection;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

/** Classification of the failures of commands. */
public final class RedisErrors {

	/** Error of the server; before 7.0, errors in scripts have a prefix. */
	private static final Pattern ERROR = Pattern.compile("(?:ERR Error running script .*: -)?([A-Z]+)");

	/** Errors of the whole server rather than of one command. */
	private static final Set<String> UNABLE = Set.of("BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF",
			"NOAUTH", "NOREPLICAS", "OOM", "READONLY");

	private static final int DEEPEST = 8;

	/** Errors of a server that has only a part of the keys of a command, or none. */
	private static final Set<String> ELSEWHERE = Set.of("ASK", "MOVED", "TRYAGAIN");

	/** Errors of a server that is a replica. */
	private static final Set<String> REPLICA = Set.of("MASTERDOWN", "READONLY");

	/** How a script reports that the user lacks a right, in Redis 6.2, 7.0 and 7.2. */
	private static final Pattern NOT_PERMITTED = Pattern
		.compile("NOPERM|executing the script can't|ACL failure in script");

	/** Errors that remain until the configuration of Redis or of this node is changed. */
	private static final Map<String, String> PERMANENT = Map.of("NOAUTH", "Redis requires a password", "WRONGPASS",
			"Redis rejects the user name or the password", "ERR AUTH", "Redis rejects the password",
			"ERR invalid password", "Redis rejects the password", "ERR DB index", "Redis does not have this database",
			"ERR invalid DB index", "Redis does not have this database",
			"ERR This instance has cluster support disabled", "The server is not part of a Redis Cluster", "DENIED",
			"Redis is in protected mode and accepts local clients only", "CROSSSLOT",
			"The server is part of a Redis Cluster, and is used as a single server");

	private RedisErrors() {
	}

	/**
	 * Returns the problem, with the error of the server, if a failure remains until the
	 * configuration of Redis or of this node is changed; otherwise {@code null}.
	 */
	public static @Nullable String permanentProblem(Throwable failure) {
		RedisCommandExecutionException error = error(failure, 0);
		if (error == null) {
			return null;
		}
		String message = String.valueOf(error.getMessage());
		if (isNotPermitted(error)) {
			return "The Redis user lacks a right (" + message + ')';
		}
		return PERMANENT.entrySet()
			.stream()
			.filter((entry) -> message.startsWith(entry.getKey()))
			.findFirst()
			.map((entry) -> entry.getValue() + " (" + message + ')')
			.orElse(null);
	}

	/** Returns whether a command has failed because a key has a value of another type. */
	public static boolean isOfAnotherType(Throwable failure) {
		RedisCommandExecutionException error = error(failure, 0);
		return error != null && String.valueOf(error.getMessage()).startsWith("WRONGTYPE");
	}

	/** Returns the error of a server among the causes of a failure, or {@code null}. */
	private static @Nullable RedisCommandExecutionException error(@Nullable Throwable failure, int depth) {
		if (failure == null || depth > DEEPEST) {
			return null;
		}
		if (failure instanceof RedisCommandExecutionException error) {
			return error;
		}
		RedisCommandExecutionException error = error(failure.getCause(), depth + 1);
		for (Throwable suppressed : failure.getSuppressed()) {
			error = (error != null) ? error : error(suppressed, depth + 1);
		}
		return error;
	}

	/** Returns a description of a failure for logs. */
	static String describe(Throwable failure) {
		String problem = permanentProblem(failure);
		if (problem != null) {
			return problem;
		}
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		String first = String.valueOf(failure.getMessage());
		String last = String.valueOf(root.getMessage());
		return (root.getMessage() == null || first.contains(last)) ? first : first + " (" + last + ')';
	}

	static boolean isNotPermitted(Throwable cause) {
		return cause instanceof RedisCommandExecutionException && isNotPermitted(String.valueOf(cause.getMessage()));
	}

	static boolean isNotPermitted(String message) {
		return NOT_PERMITTED.matcher(message).find();
	}

	/**
	 * Returns whether a failed command may have run or may still run. It has not if it
	 * was not sent or was answered by an error.
	 */
	public static boolean mayBeRun(Throwable failure) {
		Throwable cause = cause(failure).getCause();
		return cause != null && !(cause instanceof RedisCommandExecutionException);
	}

	/** Returns whether the server has answered with an error. */
	public static boolean isAnswered(Throwable failure) {
		return cause(failure).getCause() instanceof RedisCommandExecutionException;
	}

	/** Returns whether a command was never sent. */
	public static boolean isUnsent(Throwable failure) {
		return cause(failure).getCause() == null;
	}

	/**
	 * Returns whether a command was not run because its slot has moved or is moving.
	 */
	public static boolean isElsewhere(Throwable failure) {
		Throwable cause = cause(failure).getCause();
		return cause != null && ELSEWHERE.contains(error(cause));
	}

	/** Returns whether a failure shows that the server cannot be used for now. */
	static boolean isServerUnable(Throwable cause) {
		return !(cause instanceof RedisCommandExecutionException) || UNABLE.contains(error(cause))
				|| isNotPermitted(cause);
	}

	static boolean isMoved(Throwable cause) {
		return error(cause).equals("MOVED");
	}

	static boolean isMasterNoMore(Throwable failure) {
		return REPLICA.contains(error(cause(failure)));
	}

	/** Returns the first word of an error of the server, or an empty text. */
	private static String error(Throwable cause) {
		Matcher error = ERROR.matcher(String.valueOf(cause.getMessage()));
		return (cause instanceof RedisCommandExecutionException && error.lookingAt()) ? error.group(1) : "";
	}

	/** Returns the failure of the originating stage. */
	public static Throwable cause(Throwable failure) {
		boolean wraps = failure instanceof CompletionException || failure instanceof ExecutionException;
		return (wraps && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/** Returns a failure in the form in which callers receive it. */
	public static StoreUnavailableException unavailable(Throwable failure) {
		Throwable cause = cause(failure);
		return (cause instanceof StoreUnavailableException unavailable) ? unavailable
				: new StoreUnavailableException("Redis failed: " + cause.getMessage(), cause);
	}

}

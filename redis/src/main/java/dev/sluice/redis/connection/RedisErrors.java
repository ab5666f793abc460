package dev.sluice.redis.connection;

import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;

/** Meaning of the failures of commands. */
public final class RedisErrors {

	/** An error of the server; within a script, one before 7.0 puts others first. */
	private static final Pattern ERROR = Pattern.compile("(?:ERR Error running script .*: -)?([A-Z]+)");

	/** Errors that are about the whole server, and not about one command. */
	private static final Set<String> UNABLE = Set.of("BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF",
			"NOREPLICAS", "OOM", "READONLY");

	/** Errors of a server that has no part, or only some, of what a command is about. */
	private static final Set<String> ELSEWHERE = Set.of("ASK", "MOVED", "TRYAGAIN");

	private RedisErrors() {
	}

	/**
	 * Returns whether a command may have been run, or may still be, that has failed. It
	 * was not if it was never sent, or if an error was the answer.
	 */
	public static boolean mayBeRun(Throwable failure) {
		Throwable cause = cause(failure).getCause();
		return cause != null && !(cause instanceof RedisCommandExecutionException);
	}

	/** Returns whether a command was never sent. */
	public static boolean isUnsent(Throwable failure) {
		return cause(failure).getCause() == null;
	}

	/** Returns whether a command was not run, as its slot has moved or is being moved. */
	public static boolean isElsewhere(Throwable failure) {
		Throwable cause = cause(failure).getCause();
		return cause != null && ELSEWHERE.contains(error(cause));
	}

	/** Returns whether a failure shows that the server cannot be used for now. */
	static boolean isServerUnable(Throwable cause) {
		return !(cause instanceof RedisCommandExecutionException) || UNABLE.contains(error(cause));
	}

	static boolean isMoved(Throwable cause) {
		return error(cause).equals("MOVED");
	}

	static boolean isMasterNoMore(Throwable failure) {
		return error(cause(failure)).equals("READONLY");
	}

	/** Returns the first word of what the server has answered, if it was an error. */
	private static String error(Throwable cause) {
		Matcher error = ERROR.matcher(String.valueOf(cause.getMessage()));
		return (cause instanceof RedisCommandExecutionException && error.lookingAt()) ? error.group(1) : "";
	}

	/** Returns what a stage before has failed with. */
	public static Throwable cause(Throwable failure) {
		boolean wraps = failure instanceof CompletionException || failure instanceof ExecutionException;
		return (wraps && failure.getCause() != null) ? failure.getCause() : failure;
	}

	static StoreUnavailableException unavailable(Throwable failure) {
		Throwable cause = cause(failure);
		return (cause instanceof StoreUnavailableException unavailable) ? unavailable
				: new StoreUnavailableException("Redis failed: " + cause.getMessage(), cause);
	}

}

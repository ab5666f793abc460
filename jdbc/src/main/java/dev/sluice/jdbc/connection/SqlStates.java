package dev.sluice.jdbc.connection;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Meaning of the SQLSTATE of a failure. */
public final class SqlStates {

	/** Consequence of a failure for the statements that follow. */
	enum Meaning {

		/** The database is unavailable for now; the store retries. */
		UNAVAILABLE,

		/**
		 * The database is unusable until its configuration or the configuration of this
		 * node changes.
		 */
		MISCONFIGURED,

		/**
		 * The statement took too long; after many such failures the database counts as
		 * unavailable.
		 */
		TIMED_OUT,

		/** The failure concerns one statement. */
		STATEMENT

	}

	/**
	 * Meanings by SQLSTATE or prefix of one, such as a class; the longest match applies.
	 */
	private static final Map<String, Meaning> MEANINGS = Map.ofEntries(Map.entry("08", Meaning.UNAVAILABLE), // connection
			Map.entry("08004", Meaning.MISCONFIGURED), // authentication or encryption
			Map.entry("25006", Meaning.UNAVAILABLE), // read-only
			Map.entry("28", Meaning.MISCONFIGURED), // role or password
			Map.entry("3D", Meaning.MISCONFIGURED), // no such database
			Map.entry("3F", Meaning.MISCONFIGURED), // no such schema
			Map.entry("42501", Meaning.MISCONFIGURED), // no such right
			Map.entry("42703", Meaning.MISCONFIGURED), // no such column
			Map.entry("42883", Meaning.MISCONFIGURED), // no such function
			Map.entry("42P01", Meaning.MISCONFIGURED), // no such table
			Map.entry("53", Meaning.UNAVAILABLE), // disk, memory or connections
			Map.entry("55P03", Meaning.TIMED_OUT), // lock_timeout
			Map.entry("57014", Meaning.TIMED_OUT), // statement_timeout or a cancel
			Map.entry("57P", Meaning.UNAVAILABLE), // starting, stopping or terminated
			Map.entry("58", Meaning.UNAVAILABLE), // operating system
			Map.entry("XX", Meaning.UNAVAILABLE)); // corruption or a bug of the server

	private static final int DEEPEST = 8;

	private SqlStates() {
	}

	/** Returns the meaning of a failure. */
	static Meaning meaning(Throwable failure) {
		if (failure instanceof UnusableDatabaseException || failure instanceof SQLFeatureNotSupportedException) {
			return Meaning.MISCONFIGURED;
		}
		String state = state(failure);
		if (state == null) {
			return (failure instanceof SQLException) ? Meaning.TIMED_OUT : Meaning.STATEMENT;
		}
		for (int length = state.length(); length >= 2; length--) {
			Meaning meaning = MEANINGS.get(state.substring(0, length));
			if (meaning != null) {
				return meaning;
			}
		}
		return Meaning.STATEMENT;
	}

	/** Returns whether the server has undone the failed statement. */
	static boolean isUndone(Throwable failure) {
		String state = state(failure);
		return state != null && !state.startsWith("08") && !state.startsWith("57P");
	}

	/**
	 * Returns the problem, with the error of the server, if a failure persists until the
	 * configuration of the database or of this node changes.
	 * @param failure the failure
	 * @return the problem, or {@code null} if the database is to be tried again
	 */
	public static @Nullable String permanentProblem(Throwable failure) {
		return (meaning(failure) == Meaning.MISCONFIGURED) ? describe(failure) : null;
	}

	/** Returns a description of the cause of a failure for messages. */
	static String describe(Throwable failure) {
		Throwable root = failure;
		for (int i = 0; i < DEEPEST && root.getCause() != null; i++) {
			root = root.getCause();
		}
		String state = state(failure);
		String message = String.valueOf((root.getMessage() != null) ? root.getMessage() : root).split("\n", 2)[0];
		return (state != null) ? message + " (SQLSTATE " + state + ')' : message;
	}

	/** Returns whether the server or the driver has reported a reason. */
	static boolean hasState(Throwable failure) {
		return failure instanceof UnusableDatabaseException || state(failure) != null;
	}

	/** Returns the first state among the causes of a failure. */
	private static @Nullable String state(Throwable failure) {
		Throwable each = failure;
		for (int i = 0; i < DEEPEST && each != null; i++) {
			if (each instanceof SQLException sql && sql.getSQLState() != null) {
				return sql.getSQLState();
			}
			each = each.getCause();
		}
		return null;
	}

}

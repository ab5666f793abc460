package dev.sluice.jdbc.throttle;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Readers of the answers of functions.
 */
final class Replies {

	private Replies() {
	}

	/**
	 * Answers to calls for one key that one statement has decided: the version of the
	 * limit, the time of the decision and, unless all were granted, a reason and a wait
	 * for each call.
	 */
	record Taken(List<Long> numbers) {

		static Taken read(ResultSet row) throws SQLException {
			return new Taken(longs(row.getArray(1)));
		}

		long version() {
			return this.numbers.get(0);
		}

		long seen() {
			return this.numbers.get(1);
		}

		int reason(int call) {
			return (this.numbers.size() == 2) ? 0 : this.numbers.get(2 + 2 * call).intValue();
		}

		long delay(int call) {
			return (this.numbers.size() == 2) ? 0 : this.numbers.get(3 + 2 * call);
		}

	}

	/** Answer to a call that may wait. */
	record Entered(long version, int reason, long value, List<String> wake) {

		static Entered read(ResultSet row) throws SQLException {
			return new Entered(row.getLong(1), row.getInt(2), row.getLong(3), texts(row.getArray(4)));
		}

	}

	/** Outcome of an entry in line that its node has picked up. */
	record Picked(long entry, long granted, long delay) {

		static Picked read(ResultSet row) throws SQLException {
			return new Picked(row.getLong(1), row.getLong(2), row.getLong(3));
		}

	}

	/** Entry in line, with its limit and key, and whether it has been granted. */
	record Place(long entry, byte[] resource, byte[] key, boolean granted) {

		static Place read(ResultSet row) throws SQLException {
			return new Place(row.getLong(1), row.getBytes(2), row.getBytes(3), row.getBoolean(4));
		}

	}

	/** Outcome of a change, and the nodes to notify. */
	record Done(boolean done, List<String> wake) {

		static Done read(ResultSet row) throws SQLException {
			return new Done(row.getBoolean(1), texts(row.getArray(2)));
		}

	}

	/** Entries that were found and removed, and the nodes to notify. */
	record Left(List<Long> found, List<String> wake) {

		static Left read(ResultSet row) throws SQLException {
			return new Left(longs(row.getArray(1)), texts(row.getArray(2)));
		}

	}

	/** Entries that were renewed, and the entries that the node still holds. */
	record Renewed(List<Long> renewed, List<Long> held) {

		static Renewed read(ResultSet row) throws SQLException {
			return new Renewed(longs(row.getArray(1)), longs(row.getArray(2)));
		}

	}

	static List<String> wake(ResultSet row) throws SQLException {
		return texts(row.getArray(1));
	}

	private static List<String> texts(@Nullable Array array) throws SQLException {
		return (array != null) ? List.of((String[]) array.getArray()) : List.of();
	}

	private static List<Long> longs(@Nullable Array array) throws SQLException {
		return (array != null) ? List.of((Long[]) array.getArray()) : List.of();
	}

}

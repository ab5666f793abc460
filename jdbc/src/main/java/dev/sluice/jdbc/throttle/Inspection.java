package dev.sluice.jdbc.throttle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.internal.failover.NodeCounts;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Inspection of the state of a limit.
 */
final class Inspection {

	private final LimitStatements statements;

	private final NodeCounts counts;

	private volatile Total last = new Total(0, 0, 0, 0, 0);

	Inspection(LimitStatements statements, NodeCounts counts) {
		this.statements = statements;
		this.counts = counts;
	}

	private record Total(long admitted, long rejected, long waiting, long keys, long held) {

		static Total read(ResultSet row) throws SQLException {
			return new Total(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
		}

	}

	KeyState state(String key, Limit limit) {
		try {
			return database().await(look(key));
		}
		catch (StoreUnavailableException ex) {
			int most = limit.maxUsed();
			return new KeyState(key, most, 0, most, this.counts.rejectedOf(key), 0, null, Duration.ZERO,
					Optional.empty());
		}
	}

	private CompletableFuture<KeyState> look(String key) {
		return this.statements.ask(key, (row) -> {
			int most = row.getInt(1);
			int used = row.getInt(2);
			int waiting = row.getInt(3);
			long retry = row.getLong(4);
			byte[] owner = row.getBytes(6);
			Optional<Holder> oldest = (owner != null)
					? Optional.of(new Holder(key, Text.decode(owner), row.getInt(7), instant(row.getLong(8)), waiting))
					: Optional.empty();
			return new KeyState(key, most, used, Math.max(0, most - used), this.counts.rejectedOf(key), waiting,
					(retry < 0) ? null : micros(retry), micros(row.getLong(5)), oldest);
		}, "sluice_look(?, ?)");
	}

	private static Duration micros(long micros) {
		return Duration.of(micros, ChronoUnit.MICROS);
	}

	private static Instant instant(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

	/**
	 * Adds the counts of this node to the database, and reads the totals of all nodes. If
	 * the database does not answer, the last totals remain.
	 */
	CompletableFuture<?> total() {
		NodeCounts.Sums here = this.counts.take();
		return database()
			.row(this, Total::read, "sluice_count(?, ?, ?)", this.statements.resourceBytes(), here.admitted(),
					here.rejected())
			.whenComplete((total, failure) -> {
				if (failure != null) {
					this.counts.putBack(here);
				}
				else {
					this.last = total;
				}
			});
	}

	ThrottleSnapshot snapshot(int top, VersionedLimit definition) {
		List<KeyState> hottest = List.of();
		List<Holder> holders = List.of();
		try {
			database().await(total());
			if (top > 0) {
				byte[] resource = this.statements.resourceBytes();
				List<String> keys = database().await(database().rows(this, (row) -> Text.decode(row.getBytes(1)),
						"sluice_hottest(?, ?)", resource, top));
				hottest = keys.stream().map(this::look).toList().stream().map(database()::await).toList();
				holders = database()
					.await(database().rows(this, Inspection::holder, "sluice_holders(?, ?)", resource, top));
			}
		}
		catch (StoreUnavailableException ex) {
			// the last totals are returned
		}
		Total total = this.last;
		return new ThrottleSnapshot(this.statements.resource(), definition.limit(), definition.options(),
				definition.version(), total.admitted(), total.rejected(), total.waiting(), (int) total.keys(),
				total.held(), hottest, holders);
	}

	private static Holder holder(ResultSet row) throws SQLException {
		return new Holder(Text.decode(row.getBytes(1)), Text.decode(row.getBytes(2)), row.getInt(3),
				instant(row.getLong(4)), row.getInt(5));
	}

	private Database database() {
		return this.statements.database();
	}

}

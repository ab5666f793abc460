package dev.sluice.jdbc.growth;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls of some time, and the tables in it.
 *
 * @param calls how many calls there were
 * @param rows the most rows of rates
 * @param overdue the longest time for which a row has outlived its use
 * @param bytes the largest size of all tables with their indexes
 * @param vacuums how often autovacuum has processed the table of rates so far
 * @param pagesRead how many pages of the tables were read
 * @param regularCalls how many of the calls were for keys that stay
 * @param regularNanos how long those took
 */
record TableSample(long calls, long rows, Duration overdue, long bytes, long vacuums, long pagesRead, long regularCalls,
		long regularNanos) {

	/** Returns the pages that were read for a call, with those of the sweep. */
	double pages() {
		return (double) this.pagesRead / Math.max(1, this.calls);
	}

	/** Returns the time of a call for a key that stays. */
	double micros() {
		return this.regularNanos / 1e3 / Math.max(1, this.regularCalls);
	}

	private TableSample with(TableSample other) {
		return new TableSample(this.calls + other.calls, Math.max(this.rows, other.rows),
				(this.overdue.compareTo(other.overdue) > 0) ? this.overdue : other.overdue,
				Math.max(this.bytes, other.bytes), Math.max(this.vacuums, other.vacuums),
				this.pagesRead + other.pagesRead, this.regularCalls + other.regularCalls,
				this.regularNanos + other.regularNanos);
	}

	/** Merges samples to a number of consecutive parts. */
	static List<TableSample> merged(List<TableSample> samples, int number) {
		List<TableSample> parts = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			parts.add(samples.subList(i * samples.size() / number, (i + 1) * samples.size() / number)
				.stream()
				.reduce(TableSample::with)
				.orElseThrow());
		}
		return parts;
	}

	@Override
	public String toString() {
		return "%,d calls, %,d rows, overdue %d ms, %.1f MB, %d vacuums, %.1f pages and %.0f us a call".formatted(
				this.calls, this.rows, this.overdue.toMillis(), this.bytes / 1e6, this.vacuums, pages(), micros());
	}

}

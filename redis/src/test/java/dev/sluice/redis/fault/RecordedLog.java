package dev.sluice.redis.fault;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What Sluice and the client have logged. */
final class RecordedLog extends Handler {

	private final List<LogRecord> records = new CopyOnWriteArrayList<>();

	/** Creates a log that records until it is closed. */
	RecordedLog() {
		Logger.getLogger("").addHandler(this);
	}

	@Override
	public void publish(LogRecord entry) {
		String name = String.valueOf(entry.getLoggerName());
		if (name.startsWith("dev.sluice") || name.startsWith("io.lettuce") || name.startsWith("io.netty")) {
			this.records.add(entry);
		}
	}

	void clear() {
		this.records.clear();
	}

	/** Returns all warnings, of the client, too. */
	List<String> warnings() {
		return this.records.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(RecordedLog::text)
			.toList();
	}

	/** Returns what Sluice has logged for information. */
	List<String> messages() {
		return this.records.stream()
			.filter((entry) -> entry.getLevel().equals(Level.INFO) && entry.getLoggerName().startsWith("dev.sluice"))
			.map(RecordedLog::text)
			.toList();
	}

	private static String text(LogRecord entry) {
		return entry.getLoggerName() + ": " + entry.getMessage();
	}

	@Override
	public void flush() {
		// nothing is kept back
	}

	@Override
	public void close() {
		Logger.getLogger("").removeHandler(this);
	}

}

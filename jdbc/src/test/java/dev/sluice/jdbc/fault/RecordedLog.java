package dev.sluice.jdbc.fault;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What Sluice has logged. */
final class RecordedLog extends Handler {

	private final List<LogRecord> records = new CopyOnWriteArrayList<>();

	/** Creates a log that records until it is closed. */
	RecordedLog() {
		Logger.getLogger("").addHandler(this);
	}

	@Override
	public void publish(LogRecord entry) {
		if (String.valueOf(entry.getLoggerName()).startsWith("dev.sluice")) {
			this.records.add(entry);
		}
	}

	void clear() {
		this.records.clear();
	}

	List<String> warnings() {
		return this.records.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogRecord::getMessage)
			.toList();
	}

	List<String> messages() {
		return this.records.stream()
			.filter((entry) -> entry.getLevel().equals(Level.INFO))
			.map(LogRecord::getMessage)
			.toList();
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

package dev.sluice.websocket.stomp.cluster;

import java.time.Duration;

import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Log of messages that have not reached all nodes: of the first, and a minute later of
 * how many more there were, as clients may send many.
 */
final class PublicationFailures {

	private static final Log logger = LogFactory.getLog(PublicationFailures.class);

	private static final Duration QUIET = Duration.ofMinutes(1);

	private final NanoClock clock;

	/** How many there were since the log was told, or negative if it is to be told. */
	private long untold = -1;

	PublicationFailures(NanoClock clock) {
		this.clock = clock;
	}

	/** The bus has not taken a message, or nobody knows. */
	void failed(Throwable failure) {
		if (isFirst()) {
			logger.warn("A message to a destination of all nodes was rejected, as the bus between them could not be"
					+ " asked; in a minute follows how many more there are", failure);
			this.clock.schedule(this::tell, QUIET);
		}
	}

	private synchronized boolean isFirst() {
		this.untold++;
		return this.untold == 0;
	}

	private void tell() {
		long more = take();
		if (more > 0) {
			logger.warn("Messages to destinations of all nodes that were rejected in the last minute: " + more);
		}
	}

	private synchronized long take() {
		long more = this.untold;
		this.untold = -1;
		return more;
	}

}

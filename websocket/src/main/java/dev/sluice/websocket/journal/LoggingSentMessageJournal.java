package dev.sluice.websocket.journal;

import java.time.Duration;
import java.util.List;

import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessageJournal;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A journal that writes a line for each message, to the logger {@value #LOGGER} at the
 * level INFO.
 *
 * @since 0.1.0
 */
public final class LoggingSentMessageJournal implements SentMessageJournal {

	/**
	 * The name of the logger.
	 */
	public static final String LOGGER = "dev.sluice.journal";

	private static final Log logger = LogFactory.getLog(LOGGER);

	@Override
	public void write(List<SentMessage> messages) {
		if (logger.isInfoEnabled()) {
			messages.forEach((message) -> logger.info(line(message)));
		}
	}

	/** Describes a message, in a line. */
	static String line(SentMessage message) {
		return message.outcome() + " " + message.size() + " B to session '" + ClientNames.printable(message.sessionId())
				+ "'" + named("user", message.user()) + named("type", message.type())
				+ named("destination", message.destination()) + ", level " + message.level() + ", queued at "
				+ message.queuedAt() + ", took "
				+ Duration.between(message.queuedAt(), message.sentAt()).toNanos() / 1_000 + " us";
	}

	/** A name that a client chooses must not forge lines of the log. */
	private static String named(String name, @Nullable String value) {
		return (value != null) ? ", " + name + " '" + ClientNames.printable(value) + "'" : "";
	}

}

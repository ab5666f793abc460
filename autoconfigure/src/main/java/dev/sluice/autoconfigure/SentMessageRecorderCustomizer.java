package dev.sluice.autoconfigure;

import dev.sluice.websocket.journal.SentMessageRecorder;

/**
 * A bean of this type changes how the recorder of sent messages is built, after the
 * properties have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SentMessageRecorderCustomizer {

	/**
	 * Changes the recorder.
	 * @param builder what the recorder is built from
	 */
	void customize(SentMessageRecorder.Builder builder);

}

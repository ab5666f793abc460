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
	 * @param builder the builder of the recorder
	 */
	void customize(SentMessageRecorder.Builder builder);

}

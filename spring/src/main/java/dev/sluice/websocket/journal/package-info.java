/**
 * Recorder of sent messages: batches for the journal of the application.
 */
@NullMarked
package dev.sluice.websocket.journal;

import org.jspecify.annotations.NullMarked;

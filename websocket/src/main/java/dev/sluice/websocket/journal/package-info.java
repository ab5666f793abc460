/**
 * Recorder of sent messages, which passes them to the journal of the application in
 * batches. Internal, except for {@code SentMessageRecorder}, whose builder is customized.
 * <p>
 * Uses {@code message}. Start at
 * {@link dev.sluice.websocket.journal.SentMessageRecorder}, then
 * {@link dev.sluice.websocket.journal.SessionJournal}, the part of one session.
 */
@NullMarked
package dev.sluice.websocket.journal;

import org.jspecify.annotations.NullMarked;

/**
 * Journal of sent messages.
 * <p>
 * Uses {@code execution} and {@code properties}, after {@code websocket}. Start at
 * {@link dev.sluice.autoconfigure.journal.SluiceJournalAutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure.journal;

import org.jspecify.annotations.NullMarked;

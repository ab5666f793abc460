/**
 * Observations for traces: messages on their way through the queues of their sessions,
 * calls that wait in line, and requests between nodes.
 */
@NullMarked
package dev.sluice.observation;

import org.jspecify.annotations.NullMarked;

package dev.sluice.cluster.internal;

import org.jspecify.annotations.Nullable;

/**
 * OutcomeRequest of a node that waits for an answer.
 *
 * @param origin the node
 * @param number its number of the request or publication
 * @param topic the topic of the publication, {@code null} for a request
 */
record OutcomeRequest(String origin, long number, @Nullable String topic) {

}

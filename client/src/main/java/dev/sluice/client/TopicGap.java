package dev.sluice.client;

import org.jspecify.annotations.Nullable;

/**
 * Place where messages of a topic are missing; the application loads the topic's state
 * anew.
 *
 * @param topic the name of the topic
 * @param position the opaque position behind which the topic goes on, or {@code null} if
 * that is unknown
 * @since 0.1.0
 */
public record TopicGap(String topic, @Nullable String position) {
}

package dev.sluice.client;

import org.jspecify.annotations.Nullable;

/**
 * Place in a topic where messages are missing. The application must reload the state of
 * the topic.
 *
 * @param topic the name of the topic
 * @param position the opaque position after which the topic continues, or {@code null} if
 * it is unknown
 * @since 0.1.0
 */
public record TopicGap(String topic, @Nullable String position) {
}

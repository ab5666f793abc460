package dev.sluice.cluster;

/**
 * Message in a history.
 *
 * @param at its position
 * @param payload what was published
 * @since 0.1.0
 */
public record TopicEntry(Position at, String payload) {

}

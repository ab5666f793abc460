package dev.sluice.bus;

/**
 * Message in a history.
 *
 * @param at the position of the message
 * @param payload the published text
 * @since 0.1.0
 */
public record TopicEntry(Position at, String payload) {

}

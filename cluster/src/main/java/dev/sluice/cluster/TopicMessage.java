package dev.sluice.cluster;

/**
 * Message in the history of a topic.
 *
 * @param at its position, opaque
 * @param frame the text that was sent to members
 * @since 0.1.0
 */
public record TopicMessage(String at, String frame) {

}

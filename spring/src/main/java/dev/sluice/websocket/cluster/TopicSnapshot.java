package dev.sluice.websocket.cluster;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * State of one topic on this node; values may be stale when read.
 *
 * @param name the topic's name
 * @param members how many sessions of this node have joined
 * @param waiting how many tasks of the topic waited for their turn; messages that take
 * one turn together are one
 * @param oldestWait how long the oldest of them had waited
 * @param at the position of the latest message that members were sent, or that was
 * published before they joined; the start of the topic, with the number 0, if there was
 * no message; {@code null} if the bus has given no position
 * @since 0.1.0
 */
public record TopicSnapshot(String name, int members, int waiting, Duration oldestWait, @Nullable String at) {

}

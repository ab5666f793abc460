package dev.sluice.cluster;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * State of one topic on this node; values may be stale when read.
 *
 * @param name the topic's name
 * @param members number of sessions of this node that have joined
 * @param waiting number of tasks of the topic that wait for their turn; messages that
 * share one turn count as one
 * @param oldestWait how long the oldest of them has waited
 * @param at the position of the latest message that was sent to members, or that was
 * published before they joined; the start of the topic, with the number 0, if there was
 * no message; {@code null} if the bus has reported no position
 * @since 0.1.0
 */
public record TopicSnapshot(String name, int members, int waiting, Duration oldestWait, @Nullable String at) {

}

package dev.sluice.websocket.cluster.broadcast;

import java.util.List;

import dev.sluice.cluster.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Place in the order of an {@link OrderedBroadcast}.
 *
 * @param at its position, or {@code null} if it is unknown
 * @param missed all that was published from the known position to this one, of other keys
 * too, or {@code null} if some of it is missing
 * @since 0.1.0
 */
public record Place(@Nullable String at, @Nullable List<TopicEntry> missed) {

}

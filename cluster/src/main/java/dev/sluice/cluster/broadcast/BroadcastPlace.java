package dev.sluice.cluster.broadcast;

import java.util.List;

import dev.sluice.bus.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Place in the order of an {@link OrderedBroadcast}.
 *
 * @param at its position, or {@code null} if it is unknown
 * @param missed all texts published from the known position to this one, including other
 * keys, or {@code null} if some are missing
 * @since 0.1.0
 */
public record BroadcastPlace(@Nullable String at, @Nullable List<TopicEntry> missed) {

}

package dev.sluice.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Session on any node.
 *
 * @param id its id in the cluster
 * @param node the node that it is connected to
 * @param principal the name of its principal, {@code null} for an anonymous session
 * @param type the simple name of its class, or {@code "handler"}
 * @since 0.1.0
 */
public record SessionInfo(String id, String node, @Nullable String principal, String type) {

}

package dev.sluice.websocket.cluster;

/**
 * Node of the cluster.
 *
 * @param name its name, another one after each start
 * @param local whether it is this one
 * @since 0.1.0
 */
public record NodeInfo(String name, boolean local) {

}

package dev.sluice.cluster;

/**
 * Node of the cluster.
 *
 * @param name its name, which changes with each start
 * @param local whether it is this one
 * @since 0.1.0
 */
public record NodeInfo(String name, boolean local) {

}

package dev.sluice.websocket.session;

import java.util.List;

/**
 * Place of a session, given back once.
 *
 * @param keys what it counts in, on this node
 * @param shared gives back what it takes of the places of all nodes
 */
public record SessionPlace(List<SessionQuota.Key> keys, Runnable shared) {
}

/**
 * Implementation of the sessions of many nodes. Internal.
 * <p>
 * A {@code Request} goes to the nodes that a query is for; each runs it once
 * ({@code RequestRunner}, {@code Outcomes}) and answers, and {@code OpenRequests} asks
 * those again that do not. {@code LocalTopics} has the members of topics on this node;
 * {@code TopicFeed} decides what each frame of a topic means; {@code traffic} counts what
 * goes over the bus, {@code presence} tells who is in a topic. Start at
 * {@link dev.sluice.websocket.cluster.internal.DefaultSessionCluster}.
 */
@NullMarked
package dev.sluice.websocket.cluster.internal;

import org.jspecify.annotations.NullMarked;

/**
 * Implementation of the sessions of many nodes. Internal.
 * <p>
 * A {@code Request} is sent to the nodes that a query concerns. Each node runs it once
 * ({@code RequestRunner}, {@code Outcomes}) and answers, and {@code OpenRequests} repeats
 * it to nodes that do not answer. {@code LocalTopics} has the members of topics on this
 * node; {@code TopicFeed} decides how to handle each frame of a topic; {@code traffic}
 * counts the messages on the bus; {@code presence} tracks the principals in a topic.
 * Start at {@link dev.sluice.cluster.internal.DefaultSessionCluster}.
 */
@NullMarked
package dev.sluice.cluster.internal;

import org.jspecify.annotations.NullMarked;

/**
 * What a node knows of the order of messages that are published under a name. Internal.
 * <p>
 * {@code TopicFeed} decides what each message means that arrives.
 */
@NullMarked
package dev.sluice.websocket.cluster.internal.feed;

import org.jspecify.annotations.NullMarked;

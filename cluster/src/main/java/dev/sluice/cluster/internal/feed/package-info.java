/**
 * The order of messages published under a name, as far as a node has received them.
 * Internal.
 * <p>
 * {@code TopicFeed} decides how to handle each message that arrives.
 */
@NullMarked
package dev.sluice.cluster.internal.feed;

import org.jspecify.annotations.NullMarked;

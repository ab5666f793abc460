/**
 * Operations of containers on the socket of a session: senders of frames, control frames
 * for which no thread waits, suspended reading, and abrupt ends. Internal.
 * <p>
 * Uses the API only, and is the only package that depends on Tomcat and Jetty. Start at
 * {@link dev.sluice.websocket.container.FrameSenders} for the way out, and at
 * {@link dev.sluice.websocket.container.TomcatUpgradeHandler} for connections of Tomcat.
 */
@NullMarked
package dev.sluice.websocket.container;

import org.jspecify.annotations.NullMarked;

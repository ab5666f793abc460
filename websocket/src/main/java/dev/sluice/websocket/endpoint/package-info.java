/**
 * Typed sessions: the mapping of their paths, the routes of their messages to methods,
 * and the calls of the methods. Internal.
 * <p>
 * Uses {@code handler} and the packages below it. Start at
 * {@link dev.sluice.websocket.endpoint.WebSocketEndpointHandlerMapping}, then
 * {@link dev.sluice.websocket.endpoint.EndpointHandler}.
 */
@NullMarked
package dev.sluice.websocket.endpoint;

import org.jspecify.annotations.NullMarked;

/**
 * Between the container and the handlers of an application: handshakes, the intake of
 * messages, and the mappings of Spring MVC.
 */
@NullMarked
package dev.sluice.websocket.handler;

import org.jspecify.annotations.NullMarked;

/**
 * Messages as such: encoded sizes and costs, JSON, and the type of what is written.
 */
@NullMarked
package dev.sluice.websocket.message;

import org.jspecify.annotations.NullMarked;

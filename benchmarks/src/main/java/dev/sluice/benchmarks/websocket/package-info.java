/** Sockets under the same loads, on plain Spring and on Sluice. */
@NullMarked
package dev.sluice.benchmarks.websocket;

import org.jspecify.annotations.NullMarked;

/**
 * What tests of sockets need: a client that waits, in order, for what comes.
 */
@NullMarked
package dev.sluice.test.socket;

import org.jspecify.annotations.NullMarked;

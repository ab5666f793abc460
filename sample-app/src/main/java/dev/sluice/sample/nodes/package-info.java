/**
 * Two nodes of the sample on one machine, to try what happens when one of them dies. It
 * is not part of the application, which does not use it.
 */
@NullMarked
package dev.sluice.sample.nodes;

import org.jspecify.annotations.NullMarked;

/**
 * Two nodes of the sample on one machine, to try what happens when one of them dies. No
 * part of the application, which knows nothing of it.
 */
@NullMarked
package dev.sluice.sample.nodes;

import org.jspecify.annotations.NullMarked;

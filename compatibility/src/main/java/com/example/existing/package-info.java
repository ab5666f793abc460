/**
 * An application from before the starter existed; it does not use the starter.
 */
@NullMarked
package com.example.existing;

import org.jspecify.annotations.NullMarked;

/**
 * An application with beans of common names and executors to its liking. It knows nothing
 * of the starter.
 */
@NullMarked
package com.example.beans;

import org.jspecify.annotations.NullMarked;

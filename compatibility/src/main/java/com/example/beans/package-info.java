/**
 * An application with beans of common names and executors to its liking. It does not use
 * the starter.
 */
@NullMarked
package com.example.beans;

import org.jspecify.annotations.NullMarked;

/**
 * An application as it was before anybody thought of the starter: it knows nothing of it.
 */
@NullMarked
package com.example.existing;

import org.jspecify.annotations.NullMarked;

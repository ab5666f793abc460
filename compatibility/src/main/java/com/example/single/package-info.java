/** An application of one node, which runs without the module of the cluster. */
@NullMarked
package com.example.single;

import org.jspecify.annotations.NullMarked;

/** An application of Spring for GraphQL. It does not use the starter. */
@NullMarked
package com.example.graphql;

import org.jspecify.annotations.NullMarked;

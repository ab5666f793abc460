/** An application of Spring for GraphQL. It knows nothing of the starter. */
@NullMarked
package com.example.graphql;

import org.jspecify.annotations.NullMarked;

/** Sessions and topics of many nodes over Redis. */
@NullMarked
package dev.sluice.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;

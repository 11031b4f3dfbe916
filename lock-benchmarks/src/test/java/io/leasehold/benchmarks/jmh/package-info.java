/** Measurements with JMH inside one JVM, without a server. */
@NullMarked
package io.leasehold.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;

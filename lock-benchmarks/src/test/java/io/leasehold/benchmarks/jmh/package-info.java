/** What can be measured inside of a JVM, without any store, with JMH. */
@NullMarked
package io.leasehold.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;

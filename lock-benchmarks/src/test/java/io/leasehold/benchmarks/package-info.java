/** The command that compares this library with its peers, its options and its list of tables. */
@NullMarked
package io.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;

/** The command that measures this library beside its peers; its options and its list of tables. */
@NullMarked
package io.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;

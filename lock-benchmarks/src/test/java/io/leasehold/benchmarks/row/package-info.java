/** The tables: what is measured in each, and over whom. */
@NullMarked
package io.leasehold.benchmarks.row;

import org.jspecify.annotations.NullMarked;

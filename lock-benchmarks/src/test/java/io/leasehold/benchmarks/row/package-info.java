/** The tables of the report, their measurements and their contestants. */
@NullMarked
package io.leasehold.benchmarks.row;

import org.jspecify.annotations.NullMarked;

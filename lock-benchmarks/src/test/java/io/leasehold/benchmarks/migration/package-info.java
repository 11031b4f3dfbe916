/** The ways from other libraries to this one that docs/migrating.md describes, with these libraries. */
@NullMarked
package io.leasehold.benchmarks.migration;

import org.jspecify.annotations.NullMarked;

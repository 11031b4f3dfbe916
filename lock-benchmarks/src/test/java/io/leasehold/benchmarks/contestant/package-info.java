/** The contestants: ways to acquire and release a lock, each used as its own manual says. */
@NullMarked
package io.leasehold.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;

/** What is compared: ways to take a lock and give it back, each used as its own manual says. */
@NullMarked
package io.leasehold.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;

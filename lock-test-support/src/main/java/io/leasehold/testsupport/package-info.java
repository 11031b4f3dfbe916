/**
 * Classes that tests of all modules share: a proxy that breaks connections in defined ways, a time of day that a test
 * moves, and seeds that repeat a run. The servers are in {@code io.leasehold.servers}.
 */
@NullMarked
package io.leasehold.testsupport;

import org.jspecify.annotations.NullMarked;

/** Work that is done in processes of their own, so that locks are taken from several and each one's memory and CPU can be told. */
@NullMarked
package io.leasehold.benchmarks.process;

import org.jspecify.annotations.NullMarked;

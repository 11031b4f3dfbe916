/** The contract of all backends, as tests that every backend passes unchanged. */
@NullMarked
package io.leasehold.contract;

import org.jspecify.annotations.NullMarked;

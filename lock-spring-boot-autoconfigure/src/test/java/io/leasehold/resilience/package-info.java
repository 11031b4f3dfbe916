/** Tests of the circuit breaker. */
@NullMarked
package io.leasehold.resilience;

import org.jspecify.annotations.NullMarked;

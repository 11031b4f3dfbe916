/**
 * What keeps callers from waiting for a store that is down: a circuit breaker of Resilience4j around acquisitions.
 */
@NullMarked
package io.leasehold.resilience;

import org.jspecify.annotations.NullMarked;

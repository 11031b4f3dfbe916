/**
 * A circuit breaker of Resilience4j around acquisitions. Callers then do not wait for a store that is down.
 */
@NullMarked
package io.leasehold.resilience;

import org.jspecify.annotations.NullMarked;

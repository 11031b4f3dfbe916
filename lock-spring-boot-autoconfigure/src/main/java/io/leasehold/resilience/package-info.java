/**
 * A circuit breaker of Resilience4j around acquisitions. Callers then do not wait for a store that is down. It uses the
 * API, {@code spi} and Resilience4j. Only the auto-configuration uses it.
 */
@NullMarked
package io.leasehold.resilience;

import org.jspecify.annotations.NullMarked;

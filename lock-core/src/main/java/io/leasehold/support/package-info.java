/**
 * Clocks, timers, threads, futures, validity arithmetic, deferred results, the log, the listeners for revocations and the
 * nearest name of a mistyped one, which the API, the engine and the stores share. Applications do not use this package. It
 * uses only the JDK and slf4j. The annotations and {@code spi} do not use it.
 */
@NullMarked
package io.leasehold.support;

import org.jspecify.annotations.NullMarked;

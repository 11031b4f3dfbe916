/**
 * What the engine and the stores share and no application sees: clocks, timers, threads and the arithmetic of validity.
 * It uses nothing but the JDK and slf4j. Every package of the library but the API, its annotations and {@code spi} may
 * use it.
 */
@NullMarked
package io.leasehold.support;

import org.jspecify.annotations.NullMarked;

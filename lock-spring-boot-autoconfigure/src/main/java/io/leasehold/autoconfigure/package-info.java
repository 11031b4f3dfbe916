/**
 * Wiring only: properties, conditions and bean definitions. No other package imports this one.
 */
@NullMarked
package io.leasehold.autoconfigure;

import org.jspecify.annotations.NullMarked;

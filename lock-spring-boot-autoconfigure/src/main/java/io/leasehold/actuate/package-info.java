/**
 * The actuator endpoint and the health contribution of locks.
 */
@NullMarked
package io.leasehold.actuate;

import org.jspecify.annotations.NullMarked;

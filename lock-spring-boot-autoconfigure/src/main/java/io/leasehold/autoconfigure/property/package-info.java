/**
 * The properties of locks and their validation. Uses no other package of the auto-configuration.
 */
@NullMarked
package io.leasehold.autoconfigure.property;

import org.jspecify.annotations.NullMarked;

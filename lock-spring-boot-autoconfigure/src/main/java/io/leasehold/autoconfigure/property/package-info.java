/**
 * What the properties of locks say, and how values that have no meaning are refused. Sees no other package of the wiring.
 */
@NullMarked
package io.leasehold.autoconfigure.property;

import org.jspecify.annotations.NullMarked;

/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted;

import org.jspecify.annotations.NullMarked;

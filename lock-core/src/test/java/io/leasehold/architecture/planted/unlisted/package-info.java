/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.unlisted;

import org.jspecify.annotations.NullMarked;

/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.unlisted;

import org.jspecify.annotations.NullMarked;

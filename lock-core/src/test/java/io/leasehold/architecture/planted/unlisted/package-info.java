/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.unlisted;

import org.jspecify.annotations.NullMarked;

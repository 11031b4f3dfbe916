/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted;

import org.jspecify.annotations.NullMarked;

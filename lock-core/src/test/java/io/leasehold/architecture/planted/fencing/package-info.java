/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.fencing;

import org.jspecify.annotations.NullMarked;

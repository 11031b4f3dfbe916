/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.actuate;

import org.jspecify.annotations.NullMarked;

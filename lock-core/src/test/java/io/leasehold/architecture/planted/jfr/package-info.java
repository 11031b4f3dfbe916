/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.jfr;

import org.jspecify.annotations.NullMarked;

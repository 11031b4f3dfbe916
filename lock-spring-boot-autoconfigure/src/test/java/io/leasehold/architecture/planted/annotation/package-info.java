/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.annotation;

import org.jspecify.annotations.NullMarked;

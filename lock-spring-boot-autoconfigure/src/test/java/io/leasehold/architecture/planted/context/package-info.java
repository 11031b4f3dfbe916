/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.context;

import org.jspecify.annotations.NullMarked;

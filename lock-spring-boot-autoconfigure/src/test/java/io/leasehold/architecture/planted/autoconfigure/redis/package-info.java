/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;

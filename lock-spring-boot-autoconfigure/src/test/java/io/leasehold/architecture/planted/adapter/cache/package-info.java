/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.adapter.cache;

import org.jspecify.annotations.NullMarked;

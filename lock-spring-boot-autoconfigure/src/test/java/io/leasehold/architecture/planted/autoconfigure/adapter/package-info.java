/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.adapter;

import org.jspecify.annotations.NullMarked;

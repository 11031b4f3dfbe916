/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.contract;

import org.jspecify.annotations.NullMarked;

/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.test;

import org.jspecify.annotations.NullMarked;

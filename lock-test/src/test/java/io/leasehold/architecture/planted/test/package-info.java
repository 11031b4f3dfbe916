/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.test;

import org.jspecify.annotations.NullMarked;

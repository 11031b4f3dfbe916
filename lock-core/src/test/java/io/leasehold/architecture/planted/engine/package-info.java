/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.engine;

import org.jspecify.annotations.NullMarked;

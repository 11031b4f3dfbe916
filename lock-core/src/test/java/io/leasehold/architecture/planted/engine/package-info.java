/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.engine;

import org.jspecify.annotations.NullMarked;

/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;

/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;

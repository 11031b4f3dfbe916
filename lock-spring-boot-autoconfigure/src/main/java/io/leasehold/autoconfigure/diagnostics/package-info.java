/**
 * The messages of a failed start: one analyzer for each exception of this library, or of Spring about a locker. They
 * are listed in {@code META-INF/spring.factories}. Uses the exceptions; no package uses it.
 */
@NullMarked
package io.leasehold.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;

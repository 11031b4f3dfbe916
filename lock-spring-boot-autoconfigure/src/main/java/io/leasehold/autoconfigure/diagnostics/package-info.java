/**
 * What a failed start says: one analyzer for each exception of this library, or of Spring about a locker. They are listed
 * in {@code META-INF/spring.factories}. Sees the exceptions; nothing sees it.
 */
@NullMarked
package io.leasehold.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;

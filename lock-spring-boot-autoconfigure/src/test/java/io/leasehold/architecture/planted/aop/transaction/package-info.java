/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.aop.transaction;

import org.jspecify.annotations.NullMarked;

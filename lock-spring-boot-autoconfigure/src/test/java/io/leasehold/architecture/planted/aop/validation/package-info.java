/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.aop.validation;

import org.jspecify.annotations.NullMarked;

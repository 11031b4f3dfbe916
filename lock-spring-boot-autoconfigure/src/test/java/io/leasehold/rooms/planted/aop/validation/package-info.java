/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.aop.validation;

import org.jspecify.annotations.NullMarked;

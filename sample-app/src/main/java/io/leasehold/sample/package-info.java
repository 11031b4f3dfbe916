/**
 * A small application in which two instances compete for real locks. {@code billing}, {@code stock} and {@code deploy}
 * are three independent examples.
 */
@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;

/**
 * A small application in which two instances compete for real locks: in {@code billing}, {@code stock} and
 * {@code deploy}, each a story of its own.
 */
@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;

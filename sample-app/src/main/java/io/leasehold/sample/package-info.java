/**
 * A small application in which two instances compete for real locks.
 */
@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;

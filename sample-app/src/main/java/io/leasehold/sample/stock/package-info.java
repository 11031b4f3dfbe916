/**
 * Many buyers want few items, on every instance at the same time. Looking and taking are two steps, so without a lock more is
 * sold than there is.
 */
@NullMarked
package io.leasehold.sample.stock;

import org.jspecify.annotations.NullMarked;

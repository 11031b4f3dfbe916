/**
 * Shows the holder of each lock on all instances, and takes a lock from a holder that hangs.
 */
@NullMarked
package io.leasehold.sample.holders;

import org.jspecify.annotations.NullMarked;

/**
 * Who holds each lock, on all instances, and a way to take a lock from a holder that hangs.
 */
@NullMarked
package io.leasehold.sample.holders;

import org.jspecify.annotations.NullMarked;

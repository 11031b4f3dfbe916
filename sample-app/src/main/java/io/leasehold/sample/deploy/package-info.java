/**
 * One release of a service at a time, with an injected {@link io.leasehold.Locker}. A release takes longer than the
 * lock's ttl, so the lock is renewed. When the instance that works on it ends, another instance continues.
 */
@NullMarked
package io.leasehold.sample.deploy;

import org.jspecify.annotations.NullMarked;

/**
 * ShedLock's {@code LockProvider} over a locker. It uses the API of locks, their timer and ShedLock's core.
 * Applications and the auto-configuration use it.
 */
@NullMarked
package io.leasehold.adapter.shedlock;

import org.jspecify.annotations.NullMarked;

/**
 * Spring Integration's {@code LockRegistry} over a locker. It uses the API of locks, their check of results that go on,
 * and the interfaces of Spring Integration's locks. Applications and the auto-configuration use it.
 */
@NullMarked
package io.leasehold.adapter.integration;

import org.jspecify.annotations.NullMarked;

/**
 * Locks that end with a transaction of the thread, and the check before its commit. Uses {@code invocation} and
 * Spring's transactions; only loaded where those are on the class path. The aspect and the wiring use it.
 */
@NullMarked
package io.leasehold.aop.transaction;

import org.jspecify.annotations.NullMarked;

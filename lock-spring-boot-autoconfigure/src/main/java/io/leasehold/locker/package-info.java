/**
 * Creates and adjusts lockers in code: lockers at run time, and beans that customize settings and keys. It uses the
 * engine's settings only; applications use it, and the wiring implements it. The base of lockers around another one is
 * here.
 */
@NullMarked
package io.leasehold.locker;

import org.jspecify.annotations.NullMarked;

/**
 * One call of a locked method: acquires its locks or joins those that the caller holds, runs the body and releases
 * them. Uses {@code spec} and the lockers, no library for transactions or publishers. The aspect and its adapters use
 * it; the adapter for caches and the auto-configuration use {@code CallerContext}.
 */
@NullMarked
package io.leasehold.aop.invocation;

import org.jspecify.annotations.NullMarked;

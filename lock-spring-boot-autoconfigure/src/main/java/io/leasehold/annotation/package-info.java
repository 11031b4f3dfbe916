/**
 * The annotations for methods that run under a lock. The package depends only on the JDK and on the annotations of
 * Spring's core. Applications use it, and of this library {@code aop}, the cache adapter and the auto-configuration.
 */
@NullMarked
package io.leasehold.annotation;

import org.jspecify.annotations.NullMarked;

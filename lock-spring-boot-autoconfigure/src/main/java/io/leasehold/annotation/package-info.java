/**
 * The annotations for methods that run under a lock. The package depends only on the JDK and on the annotations of
 * Spring's core.
 */
@NullMarked
package io.leasehold.annotation;

import org.jspecify.annotations.NullMarked;

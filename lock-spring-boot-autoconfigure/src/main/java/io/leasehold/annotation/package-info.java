/**
 * What an application writes on a method that must run under a lock. Nothing here depends on anything but the JDK and
 * the annotations of Spring's core.
 */
@NullMarked
package io.leasehold.annotation;

import org.jspecify.annotations.NullMarked;

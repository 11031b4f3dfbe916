/**
 * Spring application events about locks. An {@code @EventListener} method takes one of these types as parameter. It
 * uses the API, {@code support} and Spring's context. Of this library, only the auto-configuration and its properties
 * use it.
 */
@NullMarked
package io.leasehold.event;

import org.jspecify.annotations.NullMarked;

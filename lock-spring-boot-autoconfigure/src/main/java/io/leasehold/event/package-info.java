/**
 * Spring application events about locks. An {@code @EventListener} method takes one of these types as parameter.
 */
@NullMarked
package io.leasehold.event;

import org.jspecify.annotations.NullMarked;

/**
 * What happens to locks, as Spring application events: an {@code @EventListener} method takes one of these types.
 */
@NullMarked
package io.leasehold.event;

import org.jspecify.annotations.NullMarked;

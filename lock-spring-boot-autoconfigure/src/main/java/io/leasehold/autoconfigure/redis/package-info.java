/**
 * The stores {@code redis} and {@code redlock}: their properties, clients and factories.
 */
@NullMarked
package io.leasehold.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;

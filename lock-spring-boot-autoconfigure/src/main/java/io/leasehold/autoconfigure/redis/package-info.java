/**
 * The stores {@code redis} and {@code redlock}: their properties, clients and factories. It uses the API, {@code spi},
 * {@code engine}, the public types of {@code redis} and {@code redlock}, {@code property} and {@code backend}, Spring
 * and Lettuce. Only {@code io.leasehold.autoconfigure} uses it.
 */
@NullMarked
package io.leasehold.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;

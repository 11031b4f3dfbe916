/**
 * The store {@code etcd}: its properties and its factory. It uses the API, {@code spi}, the public types of
 * {@code etcd}, {@code property} and {@code backend}, Spring and gRPC's client. Only {@code io.leasehold.autoconfigure}
 * uses it.
 */
@NullMarked
package io.leasehold.autoconfigure.etcd;

import org.jspecify.annotations.NullMarked;

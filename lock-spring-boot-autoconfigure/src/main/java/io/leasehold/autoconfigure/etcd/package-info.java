/**
 * The store {@code etcd}: its properties and its factory.
 */
@NullMarked
package io.leasehold.autoconfigure.etcd;

import org.jspecify.annotations.NullMarked;

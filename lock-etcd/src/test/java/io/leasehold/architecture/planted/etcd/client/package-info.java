/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.etcd.client;

import org.jspecify.annotations.NullMarked;

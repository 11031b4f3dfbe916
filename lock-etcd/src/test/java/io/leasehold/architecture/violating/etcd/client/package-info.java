/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.etcd.client;

import org.jspecify.annotations.NullMarked;

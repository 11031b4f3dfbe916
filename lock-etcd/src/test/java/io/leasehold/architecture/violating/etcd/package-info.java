/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.etcd;

import org.jspecify.annotations.NullMarked;

/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.etcd;

import org.jspecify.annotations.NullMarked;

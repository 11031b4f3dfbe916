/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.etcd;

import org.jspecify.annotations.NullMarked;

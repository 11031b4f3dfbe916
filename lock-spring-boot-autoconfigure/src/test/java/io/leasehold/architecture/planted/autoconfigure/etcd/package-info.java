/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.etcd;

import org.jspecify.annotations.NullMarked;

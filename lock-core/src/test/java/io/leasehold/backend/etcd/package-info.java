/** Tests of the etcd backend, against real servers. */
@NullMarked
package io.leasehold.backend.etcd;

import org.jspecify.annotations.NullMarked;

/** Tests of the etcd backend, against real servers. */
@NullMarked
package io.leasehold.etcd;

import org.jspecify.annotations.NullMarked;

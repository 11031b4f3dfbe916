/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.autoconfigure.etcd;

import org.jspecify.annotations.NullMarked;

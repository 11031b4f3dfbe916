/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.etcd.client;

import org.jspecify.annotations.NullMarked;

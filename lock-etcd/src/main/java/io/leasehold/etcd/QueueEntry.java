package io.leasehold.etcd;

import io.etcd.jetcd.api.KeyValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key that this backend has put into a queue.
 *
 * @param revision the key's create revision, which determines its place in the queue and its fencing tokens
 * @param granted whether the key was seen first in its queue
 * @param former the lease that the key has if it is not attached to {@code lease} yet, by a request that was not
 *     answered; {@code null} if it is attached, or if other such requests may be under way
 */
record QueueEntry(
        QueueKey queueKey,
        EtcdLease lease,
        long revision,
        boolean granted,
        @Nullable EtcdLease former) {

    QueueEntry(QueueKey queueKey, EtcdLease lease, long revision, boolean granted) {
        this(queueKey, lease, revision, granted, null);
    }

    QueueEntry grantedOn(EtcdLease other) {
        return new QueueEntry(queueKey, other, revision, true);
    }

    QueueEntry orStillOn(@Nullable EtcdLease present) {
        return new QueueEntry(queueKey, lease, revision, granted, present);
    }

    /** All leases that the key has, or may be attached to later, present one first; empty if they are not known. */
    List<EtcdLease> leasesOf(KeyValue key) {
        if (key.getLease() == lease.id()) {
            return List.of(lease);
        }
        return former != null && key.getLease() == former.id() ? List.of(former, lease) : List.of();
    }
}

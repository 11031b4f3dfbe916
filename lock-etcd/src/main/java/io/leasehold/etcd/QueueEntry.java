package io.leasehold.etcd;

/**
 * A key that this backend has put into a line.
 *
 * @param place the key
 * @param lease the lease that the key hangs on
 * @param revision etcd's revision that created the key: its number in the line, and what fencing tokens are made of
 * @param granted whether the key was seen first in its line
 */
record QueueEntry(QueueKey place, EtcdLease lease, long revision, boolean granted) {

    QueueEntry grantedOn(EtcdLease other) {
        return new QueueEntry(place, other, revision, true);
    }
}

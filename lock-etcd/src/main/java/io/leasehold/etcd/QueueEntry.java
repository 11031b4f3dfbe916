package io.leasehold.etcd;

/**
 * A key that this backend has put into a queue.
 *
 * @param place the key
 * @param lease the lease that the key hangs on
 * @param revision etcd's revision that created the key: its number in the queue, and what fencing tokens are made of
 * @param granted whether the key was seen first in its queue
 */
record QueueEntry(QueueKey queueKey, EtcdLease lease, long revision, boolean granted) {

    QueueEntry grantedOn(EtcdLease other) {
        return new QueueEntry(queueKey, other, revision, true);
    }
}

package io.leasehold.etcd;

/**
 * A key that this backend has put into a queue.
 *
 * @param revision the key's create revision, which determines its place in the queue and its fencing tokens
 * @param granted whether the key was seen first in its queue
 */
record QueueEntry(QueueKey queueKey, EtcdLease lease, long revision, boolean granted) {

    QueueEntry grantedOn(EtcdLease other) {
        return new QueueEntry(queueKey, other, revision, true);
    }
}

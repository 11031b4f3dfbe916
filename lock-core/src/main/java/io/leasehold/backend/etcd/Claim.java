package io.leasehold.backend.etcd;

/**
 * A key that this backend has put into a line.
 *
 * @param place the key
 * @param lease the lease that the key hangs on
 * @param revision etcd's revision that created the key: its number in the line, and what fencing tokens are made of
 * @param granted whether the key was seen first in its line
 */
record Claim(LineKey place, EtcdLease lease, long revision, boolean granted) {

    Claim grantedOn(EtcdLease other) {
        return new Claim(place, other, revision, true);
    }
}

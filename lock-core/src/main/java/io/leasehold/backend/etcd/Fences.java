package io.leasehold.backend.etcd;

/**
 * Fencing tokens from revisions. Each grant owns the 65,536 numbers that have its key's create revision in front:
 * revisions rise with every write to the cluster, so the numbers of a later grant are greater. There is room for 2^47
 * revisions, which is 44 years of 100,000 writes a second.
 */
final class Fences {

    static final int PER_GRANT = 65_536;

    private static final int BITS = 16;

    private Fences() {}

    static long first(long revision) {
        return revision << BITS;
    }
}

package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;

/**
 * The key of one token in the queue of one lock.
 *
 * <p>All keys of a queue are in the range from {@code first} to before {@code end}. An encoded lock id never contains
 * {@code %/}, since a percent sign in it is followed by hexadecimal digits or {@code #}. The part before a token is
 * therefore never the prefix of another lock's queue, even if lock names contain slashes.
 *
 * @param first the prefix that all keys of this queue share
 * @param end the first key after the queue
 * @param own the token's key
 */
record QueueKey(ByteString first, ByteString end, ByteString own) {

    static final int FENCING_TOKENS = 65_536;

    private static final int FENCING_BITS = 16;

    static QueueKey of(String prefix, LockId id, Token token) {
        ByteString line = ByteString.copyFromUtf8(prefix + id.encoded() + '%');
        ByteString first = line.concat(ByteString.copyFromUtf8("/"));
        ByteString end = line.concat(ByteString.copyFromUtf8("0"));
        return new QueueKey(first, end, first.concat(ByteString.copyFromUtf8(token.value())));
    }

    /**
     * The first fencing token of a grant. Each grant owns the 65,536 numbers that begin with its key's create revision.
     * Revisions rise with every write to the cluster, so the numbers of a later grant are greater. There is room for
     * 2^47 revisions, which is 44 years of 100,000 writes per second.
     */
    static long firstFencingToken(long revision) {
        return revision << FENCING_BITS;
    }

    /** The last fencing token of a grant, which names it. */
    static long lastFencingToken(long revision) {
        return firstFencingToken(revision) + FENCING_TOKENS - 1;
    }
}

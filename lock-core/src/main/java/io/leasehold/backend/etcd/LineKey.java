package io.leasehold.backend.etcd;

import com.google.protobuf.ByteString;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;

/**
 * The key under which one token stands in the line for one lock.
 *
 * <p>All keys of a line lie from {@code first} to before {@code end}. A lock id in its encoded form never contains
 * {@code %/}, since a percent sign in it is followed by hexadecimal digits or {@code #}; so what precedes a token is never
 * the beginning of another lock's line, whatever slashes the names of the locks have.
 *
 * @param first the beginning that all keys of this line share
 * @param end the first key after the line
 * @param own the token's key
 */
record LineKey(ByteString first, ByteString end, ByteString own) {

    static LineKey of(String prefix, LockId id, Token token) {
        ByteString line = ByteString.copyFromUtf8(prefix + id.encoded() + '%');
        ByteString first = line.concat(ByteString.copyFromUtf8("/"));
        ByteString end = line.concat(ByteString.copyFromUtf8("0"));
        return new LineKey(first, end, first.concat(ByteString.copyFromUtf8(token.value())));
    }
}

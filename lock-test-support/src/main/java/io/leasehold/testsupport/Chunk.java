package io.leasehold.testsupport;

import java.util.Arrays;

/**
 * Bytes on their way through a {@link FaultProxy}, or the end of a stream if there are none.
 *
 * @param bytes what arrived
 * @param isReply whether it came from the server
 * @param arrivedNanos when it arrived
 */
record Chunk(byte[] bytes, boolean isReply, long arrivedNanos) {

    boolean isEnd() {
        return bytes.length == 0;
    }

    Chunk first(int count) {
        return new Chunk(Arrays.copyOf(bytes, count), isReply, arrivedNanos);
    }

    Chunk withoutFirst(int count) {
        return new Chunk(Arrays.copyOfRange(bytes, count, bytes.length), isReply, arrivedNanos);
    }
}

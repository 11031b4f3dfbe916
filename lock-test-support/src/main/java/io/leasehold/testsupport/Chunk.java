package io.leasehold.testsupport;

import java.util.Arrays;

/**
 * Bytes that pass through a {@link FaultProxy}. An empty chunk is the end of a stream.
 *
 * @param isReply whether it came from the server
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

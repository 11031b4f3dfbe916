package io.leasehold.testsupport;

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
}

package io.leasehold.backend.etcd;

import io.grpc.Channel;

/**
 * The streams on which leases are kept alive. etcd works off the requests of one stream one after the other, and a member
 * that is not the leader asks the leader for each; so there are a few, and a lease always uses the same one.
 */
final class KeepAliveStreams {

    private static final int STREAMS = 4;

    private final KeepAliveStream[] streams = new KeepAliveStream[STREAMS];

    KeepAliveStreams(Channel channel) {
        for (int i = 0; i < STREAMS; i++) {
            streams[i] = new KeepAliveStream(channel);
        }
    }

    KeepAliveStream of(long lease) {
        return streams[Math.floorMod(Long.hashCode(lease), STREAMS)];
    }

    /** Fails what waits for an answer. The next request opens new streams. */
    void close() {
        for (KeepAliveStream stream : streams) {
            stream.close();
        }
    }
}

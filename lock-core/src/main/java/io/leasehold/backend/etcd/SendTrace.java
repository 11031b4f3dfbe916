package io.leasehold.backend.etcd;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/** Knows whether a call has left this process; one that has not did nothing, whatever it failed with. */
final class SendTrace extends ClientStreamTracer.Factory {

    private volatile boolean sent;

    boolean sent() {
        return sent;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
        return new ClientStreamTracer() {
            @Override
            public void outboundHeaders() {
                sent = true;
            }
        };
    }
}

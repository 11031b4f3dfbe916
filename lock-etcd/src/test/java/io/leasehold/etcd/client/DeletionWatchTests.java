package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class DeletionWatchTests {

    /** Otherwise the waiter would lose its place in the queue. */
    @Test
    void aWatchOnALostConnectionEndsAlsoIfItsThreadWasStopped() {
        ManagedChannel lost = Grpc.newChannelBuilder("127.0.0.1:1", InsecureChannelCredentials.create())
                .directExecutor()
                .build();
        lost.shutdownNow();
        Channel stopping = ClientInterceptors.intercept(lost, new Pause(Duration.ofMillis(500)));
        assertThat(DeletionWatch.open(stopping, ByteString.copyFromUtf8("a"), 1))
                .succeedsWithin(Duration.ofSeconds(20));
    }

    /** Stops the calling thread when a call has begun. */
    private record Pause(Duration time) implements ClientInterceptor {

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    super.start(listener, headers);
                    long end = System.nanoTime() + time.toNanos();
                    while (System.nanoTime() - end < 0) {
                        LockSupport.parkNanos(end - System.nanoTime());
                    }
                }
            };
        }
    }
}

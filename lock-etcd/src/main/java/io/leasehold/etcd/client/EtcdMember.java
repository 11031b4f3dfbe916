package io.leasehold.etcd.client;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one member of the cluster, which the first call opens. Answers arrive on the connection's own
 * thread, which must not be blocked.
 *
 * <p>Watches have a connection of their own, which the first watch opens. Servers and proxies limit the streams of a
 * connection, and each watch is one, so that calls would wait until one of them ends.
 */
public final class EtcdMember {

    private static final long PING_SECONDS = 10;

    private static final long UNSCOPED_SECONDS = 3;

    private final URI endpoint;

    /** Whether there is no other member. */
    private final boolean only;

    private final @Nullable ChannelCredentials tls;

    private final ClientInterceptor[] interceptors;

    private volatile ManagedChannel channel;

    private volatile ManagedChannel watches;

    private volatile KeepAliveStreams keepAlives;

    private boolean closed;

    EtcdMember(URI endpoint, @Nullable ChannelCredentials tls, boolean only, ClientInterceptor... interceptors) {
        this.only = only;
        this.endpoint = endpoint;
        this.tls = tls;
        this.interceptors = interceptors;
        this.channel = newChannel();
        this.watches = newChannel();
        this.keepAlives = new KeepAliveStreams(channel);
    }

    private ManagedChannel newChannel() {
        return Grpc.newChannelBuilderForAddress(endpoint.getHost(), endpoint.getPort(), credentials(endpoint, tls))
                .directExecutor()
                .disableRetry()
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_SECONDS / 2, TimeUnit.SECONDS)
                .intercept(interceptors)
                .build();
    }

    private static ChannelCredentials credentials(URI endpoint, @Nullable ChannelCredentials tls) {
        if ("http".equals(endpoint.getScheme())) {
            return InsecureChannelCredentials.create();
        }
        return tls == null ? TlsChannelCredentials.create() : tls;
    }

    public URI endpoint() {
        return endpoint;
    }

    ManagedChannel channel() {
        return channel;
    }

    /** The channel for watches. As that of calls, it is replaced if it cannot connect. */
    ManagedChannel watches() {
        ManagedChannel former;
        ManagedChannel present;
        synchronized (this) {
            former = watches;
            present = cannotConnect(former) ? newChannel() : former;
            watches = present;
        }
        if (present != former) {
            former.shutdown();
        }
        return present;
    }

    private boolean cannotConnect(ManagedChannel some) {
        return !closed && some.getState(false) == ConnectivityState.TRANSIENT_FAILURE;
    }

    KeepAliveStreams keepAlives() {
        return keepAlives;
    }

    /** Sends one request. Cancelling the scope cancels the call; without a scope it has a deadline of three seconds. */
    <Q, A> CompletableFuture<A> call(@Nullable CancellationScope scope, MethodDescriptor<Q, A> method, Q request) {
        SendTrace trace = new SendTrace();
        CallOptions options = CallOptions.DEFAULT.withStreamTracerFactory(trace);
        ClientCall<Q, A> call = channel.newCall(
                method, scope == null ? options.withDeadlineAfter(UNSCOPED_SECONDS, TimeUnit.SECONDS) : options);
        Reply<A> reply = new Reply<>(trace, only);
        ClientCalls.asyncUnaryCall(call, request, reply);
        if (scope != null) {
            scope.add(() -> call.cancel("no caller waits for the answer any more", null));
        }
        return reply.answer;
    }

    /**
     * Drops the connections, since they may be dead without reporting an error; the next call opens another one. A
     * channel that cannot connect is replaced: after an unexpected error, such as that no thread could be created, it
     * never connects again.
     */
    void reconnect() {
        KeepAliveStreams former;
        ManagedChannel replaced = null;
        synchronized (this) {
            former = keepAlives;
            if (cannotConnect(channel)) {
                ManagedChannel next = newChannel();
                replaced = channel;
                channel = next;
                keepAlives = new KeepAliveStreams(next);
            }
        }
        // Outside the monitor, since calls that end run their dependents.
        if (replaced == null) {
            channel.enterIdle();
            channel.resetConnectBackoff();
        } else {
            replaced.shutdown();
        }
        watches.enterIdle();
        former.close();
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        channel.shutdownNow();
        watches.shutdownNow();
    }

    /** Completes a future with the answer, or with the classified failure. */
    private static final class Reply<A> implements StreamObserver<A> {

        private final CompletableFuture<A> answer = new CompletableFuture<>();

        private final SendTrace trace;

        private final boolean only;

        Reply(SendTrace trace, boolean only) {
            this.trace = trace;
            this.only = only;
        }

        @Override
        public void onNext(A value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            answer.completeExceptionally(
                    only && !trace.sent()
                            ? EtcdErrors.ofUnsentToOnlyMember(status)
                            : EtcdErrors.of(status, trace.sent()));
        }

        @Override
        public void onCompleted() {
            if (!answer.isDone()) {
                onError(Status.UNAVAILABLE
                        .withDescription("the call ended without an answer")
                        .asRuntimeException());
            }
        }
    }

    /** Records whether a call was sent. A call that was not sent had no effect, whatever the failure. */
    private static final class SendTrace extends ClientStreamTracer.Factory {

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
}

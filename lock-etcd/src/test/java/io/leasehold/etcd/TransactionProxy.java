package io.leasehold.etcd;

import com.google.protobuf.InvalidProtocolBufferException;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy for the requests to one member that knows their boundaries. It loses the answer to a chosen transaction or
 * replaces it, or holds the transaction until the test lets it arrive, also if the client has given up meanwhile. It
 * refuses a request for a lease, and ignores those that keep a chosen one alive. Everything else is forwarded. It counts
 * the requests and the open watches.
 */
final class TransactionProxy implements AutoCloseable {

    private static final long SECONDS = 20;

    private final ManagedChannel member;

    private final Server server;

    private volatile @Nullable Fault fault;

    private final AtomicInteger watches = new AtomicInteger();

    private final AtomicInteger refusedLeases = new AtomicInteger();

    private volatile Runnable beforeRefusal = () -> {};

    /** 0 is the id of no lease. */
    private volatile long ignoredLease;

    private final Map<String, Integer> requests = new ConcurrentHashMap<>();

    TransactionProxy(URI endpoint) {
        member = Grpc.newChannelBuilder(endpoint.getAuthority(), InsecureChannelCredentials.create())
                .build();
        try {
            server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .fallbackHandlerRegistry(new Forwarding())
                    .build()
                    .start();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    /** Loses the answer to the next transaction of a kind. */
    void loseAnswer(Predicate<TxnRequest> which) {
        fail(which, true, Status.UNAVAILABLE.withDescription("lost"));
    }

    /** Answers the next transaction of a kind as if etcd had no space for it. etcd may also do so if it executes it. */
    void refuse(Predicate<TxnRequest> which, boolean executed) {
        fail(which, executed, Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: mvcc: database space exceeded"));
    }

    private void fail(Predicate<TxnRequest> which, boolean executed, Status answer) {
        Fault failing = new Fault(which, answer);
        if (executed) {
            failing.arrives.complete(null);
        } else {
            failing.arrives.cancel(true);
        }
        fault = failing;
    }

    /** Holds the next transaction of a kind. */
    Fault hold(Predicate<TxnRequest> which) {
        Fault held = new Fault(which, null);
        fault = held;
        return held;
    }

    /** Refuses the next request for a lease, without passing it on. */
    void refuseLease() {
        refuseLease(() -> {});
    }

    /** Does something before it refuses the next request for a lease. */
    void refuseLease(Runnable before) {
        beforeRefusal = before;
        refusedLeases.set(1);
    }

    /** Ignores the requests to keep a lease alive, and the later ones of their streams, which etcd answers in order. */
    void ignoreKeepAlives(long lease) {
        ignoredLease = lease;
    }

    /** Counts the requests from now on. */
    void countRequests() {
        requests.clear();
    }

    /** The number of requests for each method, including those of a stream. */
    Map<String, Integer> requests() {
        return Map.copyOf(requests);
    }

    /** The number of watches that the client has begun and has not cancelled. */
    int watches() {
        return watches.get();
    }

    /** Whether a request for a lease was refused. */
    boolean hasRefusedLease() {
        return refusedLeases.get() < 0;
    }

    @Override
    public void close() {
        server.shutdownNow();
        member.shutdownNow();
    }

    private synchronized @Nullable Fault faultOf(String method, byte[] request) {
        Fault next = fault;
        if (next == null || !method.equals(KVGrpc.getTxnMethod().getFullMethodName())) {
            return null;
        }
        TxnRequest transaction = parse(request);
        if (!next.which.test(transaction)) {
            return null;
        }
        // first, because the test may set the next fault as soon as it knows of this one
        fault = null;
        next.received.complete(transaction);
        return next;
    }

    private static TxnRequest parse(byte[] request) {
        try {
            return TxnRequest.parseFrom(request);
        } catch (InvalidProtocolBufferException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private boolean isIgnored(String method, byte[] request) {
        if (!method.equals(LeaseGrpc.getLeaseKeepAliveMethod().getFullMethodName())) {
            return false;
        }
        try {
            return LeaseKeepAliveRequest.parseFrom(request).getID() == ignoredLease;
        } catch (InvalidProtocolBufferException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** What happens to one transaction. */
    static final class Fault {

        private final Predicate<TxnRequest> which;

        /** Replaces the answer of etcd. */
        private final @Nullable Status answer;

        private final CompletableFuture<TxnRequest> received = new CompletableFuture<>();

        private final CompletableFuture<Void> arrives = new CompletableFuture<>();

        private final CompletableFuture<Void> executed = new CompletableFuture<>();

        private Fault(Predicate<TxnRequest> which, @Nullable Status answer) {
            this.which = which;
            this.answer = answer;
        }

        /** Waits until the client has sent the transaction. */
        TxnRequest awaitSent() {
            return received.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        }

        /** Lets etcd execute the held transaction, and waits for that. */
        void arrive() {
            arrives.complete(null);
            executed.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        }
    }

    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        MARSHALLER;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }
    }

    private final class Forwarding extends HandlerRegistry {

        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
            MethodDescriptor<byte[], byte[]> method = MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setFullMethodName(name)
                    .setType(MethodDescriptor.MethodType.UNKNOWN)
                    .setRequestMarshaller(Bytes.MARSHALLER)
                    .setResponseMarshaller(Bytes.MARSHALLER)
                    .build();
            return ServerMethodDefinition.create(method, (client, headers) -> {
                Exchange exchange = new Exchange(client, outside(method));
                exchange.start();
                return exchange;
            });
        }

        /** A call outside of the client's call, whose end would end a held transaction as well. */
        private ClientCall<byte[], byte[]> outside(MethodDescriptor<byte[], byte[]> method) {
            Context before = Context.ROOT.attach();
            try {
                return member.newCall(method, CallOptions.DEFAULT);
            } finally {
                Context.ROOT.detach(before);
            }
        }
    }

    /** One call of the client. */
    private final class Exchange extends ServerCall.Listener<byte[]> {

        private final ServerCall<byte[], byte[]> client;

        private final ClientCall<byte[], byte[]> etcd;

        private volatile @Nullable Fault fault;

        private boolean ignored;

        Exchange(ServerCall<byte[], byte[]> client, ClientCall<byte[], byte[]> etcd) {
            this.client = client;
            this.etcd = etcd;
        }

        void start() {
            if (isWatch()) {
                watches.incrementAndGet();
            }
            etcd.start(answers(), new Metadata());
            etcd.request(Integer.MAX_VALUE);
            client.request(Integer.MAX_VALUE);
        }

        @Override
        public void onMessage(byte[] message) {
            requests.merge(client.getMethodDescriptor().getFullMethodName(), 1, Integer::sum);
            if (client.getMethodDescriptor()
                            .getFullMethodName()
                            .equals(LeaseGrpc.getLeaseGrantMethod().getFullMethodName())
                    && refusedLeases.compareAndSet(1, -1)) {
                beforeRefusal.run();
                etcd.cancel("refused", null);
                return;
            }
            ignored |= isIgnored(client.getMethodDescriptor().getFullMethodName(), message);
            if (ignored) {
                return;
            }
            Fault mine = faultOf(client.getMethodDescriptor().getFullMethodName(), message);
            fault = mine;
            if (mine == null) {
                etcd.sendMessage(message);
            } else if (mine.arrives.isCancelled()) {
                etcd.cancel("not executed", null);
            } else {
                mine.arrives.thenRun(() -> {
                    etcd.sendMessage(message);
                    etcd.halfClose();
                });
            }
        }

        @Override
        public void onHalfClose() {
            if (fault == null) {
                etcd.halfClose();
            }
        }

        private boolean isWatch() {
            return client.getMethodDescriptor()
                    .getFullMethodName()
                    .equals(WatchGrpc.getWatchMethod().getFullMethodName());
        }

        @Override
        public void onCancel() {
            if (isWatch()) {
                watches.decrementAndGet();
            }
            if (fault == null) {
                etcd.cancel("the client cancelled", null);
            }
        }

        private ClientCall.Listener<byte[]> answers() {
            return new ClientCall.Listener<>() {

                private boolean headersSent;

                @Override
                public void onMessage(byte[] message) {
                    Fault mine = fault;
                    if (mine != null) {
                        mine.executed.complete(null);
                    }
                    if ((mine == null || mine.answer == null) && !client.isCancelled()) {
                        sendHeaders();
                        client.sendMessage(message);
                    }
                }

                @Override
                public void onClose(Status status, Metadata trailers) {
                    Fault mine = fault;
                    if (mine != null) {
                        mine.executed.complete(null);
                    }
                    if (client.isCancelled()) {
                        return;
                    }
                    if (mine != null && mine.answer != null) {
                        client.close(mine.answer, new Metadata());
                    } else if (status.getCode() == Status.Code.CANCELLED) {
                        client.close(Status.UNAVAILABLE.withDescription("etcdserver: no leader"), new Metadata());
                    } else {
                        client.close(status, new Metadata());
                    }
                }

                private void sendHeaders() {
                    if (!headersSent) {
                        headersSent = true;
                        client.sendHeaders(new Metadata());
                    }
                }
            };
        }
    }
}

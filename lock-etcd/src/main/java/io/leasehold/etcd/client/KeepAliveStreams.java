package io.leasehold.etcd.client;

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The streams on which leases are kept alive. etcd processes the requests of one stream sequentially, and a member that
 * is not the leader asks the leader for each one. There are therefore several streams, and a lease always uses the same
 * one.
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

    /** Fails all requests that wait for an answer. The next request opens a new stream. */
    void close() {
        for (KeepAliveStream stream : streams) {
            stream.close();
        }
    }

    /**
     * One stream of keep-alive requests. The first request opens it, and the first request after a failure opens it
     * again.
     */
    static final class KeepAliveStream {

        private final LeaseGrpc.LeaseStub stub;

        private @Nullable Answers open;

        KeepAliveStream(Channel channel) {
            this.stub = LeaseGrpc.newStub(channel);
        }

        /**
         * Keeps a lease alive. The result is the number of seconds for which it was granted, or 0 if it does not exist.
         */
        CompletableFuture<Long> keepAlive(long lease) {
            KeepAlive keepAlive = new KeepAlive(lease, new CompletableFuture<>());
            Status ended = send(keepAlive);
            if (ended != null) {
                keepAlive.answer.completeExceptionally(EtcdErrors.of(ended, false));
            }
            return keepAlive.answer;
        }

        private synchronized @Nullable Status send(KeepAlive keepAlive) {
            Answers answers = open;
            if (answers == null) {
                answers = new Answers();
                stub.leaseKeepAlive(answers);
                open = answers;
            }
            Status ended = answers.send(keepAlive);
            if (ended != null) {
                open = null;
            }
            return ended;
        }

        /** Ends the stream, if one is open, and fails its requests. */
        void close() {
            Answers answers;
            synchronized (this) {
                answers = open;
                open = null;
            }
            if (answers != null) {
                answers.requests().cancel("the connection is given up", new CancellationException());
            }
        }

        private synchronized void closed(Answers answers) {
            if (open == answers) {
                open = null;
            }
        }

        private record KeepAlive(long lease, CompletableFuture<Long> answer) {}

        /** Receives the answers, which etcd sends in the order of the requests. */
        private final class Answers implements ClientResponseObserver<LeaseKeepAliveRequest, LeaseKeepAliveResponse> {

            private final ArrayDeque<KeepAlive> waiting = new ArrayDeque<>();

            private @Nullable ClientCallStreamObserver<LeaseKeepAliveRequest> requests;

            private @Nullable Status ended;

            @Override
            public void beforeStart(ClientCallStreamObserver<LeaseKeepAliveRequest> stream) {
                requests = stream;
            }

            ClientCallStreamObserver<LeaseKeepAliveRequest> requests() {
                if (requests == null) {
                    throw new IllegalStateException("the stream has not been started");
                }
                return requests;
            }

            @Nullable
            Status send(KeepAlive keepAlive) {
                synchronized (waiting) {
                    if (ended != null) {
                        return ended;
                    }
                    // Queued before it is sent, and by one sender at a time: answers are matched by their order.
                    waiting.add(keepAlive);
                }
                requests()
                        .onNext(LeaseKeepAliveRequest.newBuilder()
                                .setID(keepAlive.lease)
                                .build());
                return null;
            }

            @Override
            public void onNext(LeaseKeepAliveResponse response) {
                KeepAlive keepAlive;
                synchronized (waiting) {
                    keepAlive = waiting.poll();
                }
                if (keepAlive == null || keepAlive.lease != response.getID()) {
                    closed(this);
                    requests().cancel("an answer for lease " + response.getID() + ", which was not asked for", null);
                } else {
                    keepAlive.answer.complete(response.getTTL());
                }
            }

            @Override
            public void onError(Throwable failure) {
                end(Status.fromThrowable(failure));
            }

            @Override
            public void onCompleted() {
                end(Status.UNAVAILABLE.withDescription("etcd ended the stream"));
            }

            private void end(Status status) {
                closed(this);
                List<KeepAlive> unanswered;
                synchronized (waiting) {
                    // Set in the same step as the queue is emptied: send() rejects every later request, so none waits
                    // forever.
                    ended = status;
                    unanswered = List.copyOf(waiting);
                    waiting.clear();
                }
                // Outside the monitor, since completing a future runs its dependents.
                unanswered.forEach(keepAlive -> keepAlive.answer.completeExceptionally(EtcdErrors.of(status, true)));
            }
        }
    }
}

package io.leasehold.etcd.client;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends requests to the cluster: to a member that answers, as the logged-in user. */
public final class EtcdClient implements AutoCloseable {

    private static final long SUSPICIOUS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final LongSupplier clock;

    private final EtcdMembers members;

    private final @Nullable EtcdLogin login;

    private final AtomicReference<Silence> silence = new AtomicReference<>(Silence.NONE);

    /**
     * Creates a client, which connects on its first request.
     *
     * @param endpoints the members' client URLs
     * @param tls the TLS credentials; {@code null} trusts the certificates that Java trusts
     * @param user the user to log in; {@code null} for none
     * @param password the user's password
     * @param clock a monotonic clock in nanoseconds
     */
    public EtcdClient(
            List<URI> endpoints,
            @Nullable ChannelCredentials tls,
            @Nullable String user,
            @Nullable String password,
            LongSupplier clock) {
        this.clock = clock;
        this.members = new EtcdMembers(endpoints, tls, new CallHeaders(this::token));
        this.login = user == null || password == null
                ? null
                : new EtcdLogin(user, password, request -> attempt(null, AuthGrpc.getAuthenticateMethod(), request));
    }

    public long now() {
        return clock.getAsLong();
    }

    public EtcdMembers members() {
        return members;
    }

    /** Sends a request. Cancelling the scope cancels the request; without a scope it cannot be cancelled. */
    public <Q, A> CompletableFuture<A> call(
            @Nullable CancellationScope scope, MethodDescriptor<Q, A> method, Q request) {
        return loggedIn(() -> attempt(scope, method, request));
    }

    /** Sends a request to one member. */
    public <Q, A> CompletableFuture<A> call(
            CancellationScope scope, EtcdMember member, MethodDescriptor<Q, A> method, Q request) {
        return loggedIn(() -> member.call(scope, method, request));
    }

    /** Keeps a lease alive. The result is the number of seconds for which it was granted, or 0 if it does not exist. */
    public CompletableFuture<Long> keepAlive(CancellationScope scope, long lease) {
        return loggedIn(() -> {
            int turn = members.turn();
            CompletableFuture<Long> answer =
                    members.member(turn).keepAlives().of(lease).keepAlive(lease);
            scope.add(() -> answer.completeExceptionally(EtcdErrors.of(Status.CANCELLED, true)));
            return watched(turn, answer);
        });
    }

    /** Completes when a key was deleted after a revision, or when there is another reason to read it again. */
    public CompletableFuture<?> deletion(ByteString key, long after) {
        return DeletionWatch.open(members.current().watches(), key, after);
    }

    @Override
    public void close() {
        members.close();
    }

    private @Nullable String token() {
        return login == null ? null : login.token();
    }

    private <A> CompletableFuture<A> loggedIn(Supplier<CompletableFuture<A>> request) {
        EtcdLogin user = login;
        if (user == null) {
            return request.get();
        }
        return user.loggedIn()
                .thenCompose(token -> request.get()
                        .handle((answer, failure) -> {
                            if (failure == null) {
                                return CompletableFuture.completedFuture(answer);
                            }
                            if (!EtcdErrors.isLoginExpired(failure)) {
                                return CompletableFuture.<A>failedFuture(EtcdErrors.unwrap(failure));
                            }
                            user.expired(token);
                            return user.loggedIn().thenCompose(renewed -> request.get());
                        })
                        .thenCompose(Function.identity()));
    }

    private <Q, A> CompletableFuture<A> attempt(
            @Nullable CancellationScope scope, MethodDescriptor<Q, A> method, Q request) {
        int turn = members.turn();
        return watched(turn, members.member(turn).call(scope, method, request));
    }

    private <A> CompletableFuture<A> watched(int turn, CompletableFuture<A> answer) {
        long start = now();
        // The dependent stage is returned, so that a caller that tries again finds the next member in use.
        return answer.whenComplete((value, failure) -> {
            if (failure == null || EtcdErrors.isMembersAnswer(failure)) {
                silence.set(Silence.NONE);
            }
            if (failure != null && EtcdErrors.isMembersFault(failure, isSilent(turn, start, failure))) {
                members.giveUp(turn, EtcdErrors.isMembersAnswer(failure));
            }
        });
    }

    /**
     * Whether a member has answered nothing for a while. Callers may give up sooner than that, one after the other, so
     * the time counts from the first call that was given up since the last answer.
     */
    private boolean isSilent(int turn, long start, Throwable failure) {
        if (!EtcdErrors.isGivenUp(failure)) {
            return false;
        }
        Silence present = silence.updateAndGet(
                known -> known.turn == turn && known.since - start < 0 ? known : new Silence(turn, start));
        return now() - present.since > SUSPICIOUS_NANOS;
    }

    /** Since when the member of a turn has answered nothing. */
    private record Silence(int turn, long since) {

        static final Silence NONE = new Silence(-1, 0);
    }

    /**
     * Adds to each call the login token, and a header by which a member that knows no leader fails the call immediately
     * instead of letting it wait.
     */
    private static final class CallHeaders implements ClientInterceptor {

        private static final Metadata.Key<String> HAS_LEADER =
                Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

        private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

        private final Supplier<@Nullable String> token;

        CallHeaders(Supplier<@Nullable String> token) {
            this.token = token;
        }

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    headers.put(HAS_LEADER, "true");
                    // etcd refuses a login that is sent with a token that it does not know
                    String current = method.equals(AuthGrpc.getAuthenticateMethod()) ? null : token.get();
                    if (current != null) {
                        headers.put(TOKEN, current);
                    }
                    super.start(listener, headers);
                }
            };
        }
    }
}

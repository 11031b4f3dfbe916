package io.leasehold.backend.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends requests to the cluster: to the member that answers, and as the user that is logged in. */
final class EtcdClient implements AutoCloseable {

    private static final long SUSPICIOUS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final LongSupplier clock;

    private final Members members;

    private final @Nullable Login login;

    EtcdClient(EtcdOptions options, LongSupplier clock) {
        this.clock = clock;
        this.members = new Members(options, new CallHeaders(this::token));
        this.login = options.user() == null || options.password() == null
                ? null
                : new Login(
                        options.user(),
                        options.password(),
                        request -> attempt(null, AuthGrpc.getAuthenticateMethod(), request));
    }

    long now() {
        return clock.getAsLong();
    }

    Members members() {
        return members;
    }

    /** Sends a request. It is cancelled with the scope, or with nothing if there is none. */
    <Q, A> CompletableFuture<A> call(@Nullable CallScope scope, MethodDescriptor<Q, A> method, Q request) {
        return loggedIn(() -> attempt(scope, method, request));
    }

    /** Sends a request to one member. */
    <Q, A> CompletableFuture<A> call(CallScope scope, Member member, MethodDescriptor<Q, A> method, Q request) {
        return loggedIn(() -> member.call(scope, method, request));
    }

    /** Keeps a lease alive; answers the seconds it was granted for, or 0 if there is no such lease. */
    CompletableFuture<Long> keepAlive(CallScope scope, long lease) {
        return loggedIn(() -> {
            Member member = members.current();
            CompletableFuture<Long> answer = member.keepAlives().of(lease).keepAlive(lease);
            scope.add(() -> answer.completeExceptionally(Failures.of(Status.CANCELLED, true)));
            return watched(member, answer);
        });
    }

    /** Ends when a key was deleted after a revision, or when there is another reason to look. */
    CompletableFuture<?> deletion(ByteString key, long after) {
        return DeletionWatch.open(members.current().channel(), key, after);
    }

    @Override
    public void close() {
        members.close();
    }

    private @Nullable String token() {
        return login == null ? null : login.token();
    }

    private <A> CompletableFuture<A> loggedIn(Supplier<CompletableFuture<A>> request) {
        Login user = login;
        if (user == null) {
            return request.get();
        }
        return user.loggedIn()
                .thenCompose(token -> request.get()
                        .handle((answer, failure) -> {
                            if (failure == null) {
                                return CompletableFuture.completedFuture(answer);
                            }
                            if (!Failures.isLoginExpired(failure)) {
                                return CompletableFuture.<A>failedFuture(Failures.unwrap(failure));
                            }
                            user.expired(token);
                            return user.loggedIn().thenCompose(renewed -> request.get());
                        })
                        .thenCompose(Function.identity()));
    }

    private <Q, A> CompletableFuture<A> attempt(@Nullable CallScope scope, MethodDescriptor<Q, A> method, Q request) {
        Member member = members.current();
        return watched(member, member.call(scope, method, request));
    }

    private <A> CompletableFuture<A> watched(Member member, CompletableFuture<A> answer) {
        long start = now();
        answer.whenComplete((value, failure) -> {
            if (failure != null && Failures.isMembersFault(failure, now() - start > SUSPICIOUS_NANOS)) {
                members.giveUp(member, Failures.isMembersAnswer(failure));
            }
        });
        return answer;
    }
}

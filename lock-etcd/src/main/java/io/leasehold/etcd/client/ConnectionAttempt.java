package io.leasehold.etcd.client;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.leasehold.spi.BackendFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects to a member that answers, and logs in. Each member is tried once, for up to three seconds: a network that
 * drops a handshake reports no error. The attempt is refused if TLS fails with every member.
 */
public final class ConnectionAttempt {

    private static final long MEMBER_SECONDS = 3;

    private final EtcdClient client;

    private final CancellationScope scope;

    private final RangeRequest request;

    public ConnectionAttempt(EtcdClient client, String keyPrefix, CancellationScope scope) {
        this.client = client;
        this.scope = scope;
        this.request = RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(keyPrefix))
                .setCountOnly(true)
                .build();
    }

    public CompletableFuture<Void> run() {
        return attempt(client.members().all().size() - 1, true);
    }

    private CompletableFuture<Void> attempt(int others, boolean onlyTlsFailed) {
        int turn = client.members().turn();
        EtcdMember member = client.members().member(turn);
        CompletableFuture<?> answer =
                CancellationScope.run(calls -> client.call(calls, KVGrpc.getRangeMethod(), request));
        scope.add(() -> answer.cancel(true));
        answer.orTimeout(MEMBER_SECONDS, TimeUnit.SECONDS);
        return CancellationScope.either(answer, response -> CompletableFuture.completedFuture(null), failure -> {
            if (failure instanceof TimeoutException) {
                // a request that is not cancelled would wait for a connection and be sent then
                answer.cancel(true);
                client.members().giveUp(turn, false);
            }
            boolean tlsFailed = onlyTlsFailed && EtcdErrors.isTlsFailure(failure);
            boolean refused = EtcdErrors.isRefused(failure) || others == 0 && tlsFailed;
            return others == 0 || refused
                    ? CompletableFuture.failedFuture(notConnected(member, failure, refused))
                    : attempt(others - 1, tlsFailed);
        });
    }

    private static BackendFailure notConnected(EtcdMember member, Throwable failure, boolean refused) {
        return new BackendFailure(
                refused ? BackendFailure.Effect.REFUSED : BackendFailure.Effect.NOT_DONE,
                "no connection to etcd at " + member.endpoint() + ": "
                        + (failure instanceof TimeoutException
                                ? "no answer within " + MEMBER_SECONDS + " s"
                                : failure.getMessage())
                        + (EtcdErrors.mayDifferInTls(failure)
                                ? ". See whether the server uses TLS: write 'https://' in 'lock.etcd.endpoints' if it"
                                        + " does, and 'http://' if it does not"
                                : ""),
                failure);
    }
}

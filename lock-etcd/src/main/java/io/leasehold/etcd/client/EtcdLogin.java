package io.leasehold.etcd.client;

import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.leasehold.spi.BackendFailure;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the password for the token that etcd requires with each call. One exchange serves all calls; it is repeated
 * when etcd does not accept the token any more.
 */
final class EtcdLogin {

    private final AuthenticateRequest request;

    private final Function<AuthenticateRequest, CompletableFuture<AuthenticateResponse>> authenticate;

    private @Nullable CompletableFuture<String> underWay;

    private volatile @Nullable String token;

    private volatile boolean refused;

    EtcdLogin(
            String user,
            String password,
            Function<AuthenticateRequest, CompletableFuture<AuthenticateResponse>> authenticate) {
        this.request = AuthenticateRequest.newBuilder()
                .setName(user)
                .setPassword(password)
                .build();
        this.authenticate = authenticate;
    }

    /**
     * The last token, also if etcd does not accept it any more. A call that is being sent then gets the answer that it
     * needs a new one, and not that it has no user.
     */
    @Nullable
    String token() {
        return token;
    }

    /** Completes with the present token, or with a new one. */
    CompletableFuture<String> loggedIn() {
        String known = token;
        return known == null || refused ? again() : CompletableFuture.completedFuture(known);
    }

    /** Notes that etcd does not accept a token, unless there is a newer one already. */
    synchronized void expired(@Nullable String sent) {
        if (sent != null && sent.equals(token)) {
            refused = true;
        }
    }

    private CompletableFuture<String> again() {
        CompletableFuture<String> answer;
        synchronized (this) {
            if (underWay != null) {
                return underWay;
            }
            answer = new CompletableFuture<>();
            underWay = answer;
        }
        exchange().whenComplete((response, failure) -> {
            synchronized (this) {
                underWay = null;
                refused = failure != null;
                if (failure == null) {
                    token = response.getToken();
                }
            }
            // After the assignment: calls that wait for this answer read the token.
            if (failure == null) {
                answer.complete(response.getToken());
            } else {
                answer.completeExceptionally(notLoggedIn(EtcdErrors.unwrap(failure)));
            }
        });
        return answer;
    }

    private CompletableFuture<AuthenticateResponse> exchange() {
        try {
            return authenticate.apply(request);
        } catch (Throwable ex) {
            // as if no thread could be created: every later call would wait for the end of this exchange
            return CompletableFuture.failedFuture(ex);
        }
    }

    private BackendFailure notLoggedIn(Throwable failure) {
        BackendFailure.Effect effect =
                EtcdErrors.isRefused(failure) ? BackendFailure.Effect.REFUSED : BackendFailure.Effect.NOT_DONE;
        return new BackendFailure(
                effect, "etcd did not log in user '" + request.getName() + "': " + failure.getMessage(), failure);
    }
}

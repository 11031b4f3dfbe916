package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.AuthenticateResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The token of a login, while etcd does not accept it any more. */
class EtcdTokenTests {

    private final Deque<CompletableFuture<AuthenticateResponse>> answers = new ArrayDeque<>();

    private final EtcdLogin login = new EtcdLogin("locks", "secret", request -> answers.remove());

    /** Without a token, etcd would answer that the call has no user, which is no reason to log in again. */
    @Test
    void aCallThatIsBeingSentHasTheRefusedTokenUntilThereIsANewOne() {
        answers.addAll(List.of(token("first"), token("second")));
        assertThat(login.loggedIn()).isCompletedWithValue("first");
        login.expired("first");
        assertThat(login.token()).isEqualTo("first");
        assertThat(login.loggedIn()).isCompletedWithValue("second");
        assertThat(login.token()).isEqualTo("second");
    }

    @Test
    void aLoginThatFailsIsRepeated() {
        answers.addAll(List.of(
                token("first"), CompletableFuture.failedFuture(new IllegalStateException("away")), token("second")));
        login.loggedIn();
        login.expired("first");
        assertThat(login.loggedIn()).isCompletedExceptionally();
        assertThat(login.loggedIn()).isCompletedWithValue("second");
    }

    /** As if no thread could be created for the connection. Every later call would wait for this login. */
    @Test
    void aLoginThatCouldNotBeSentIsRepeated() {
        assertThat(answers).as("so that the login throws").isEmpty();
        assertThat(login.loggedIn()).isCompletedExceptionally();
        answers.add(token("first"));
        assertThat(login.loggedIn()).isCompletedWithValue("first");
    }

    @Test
    void aTokenThatWasReplacedIsNotReplacedAgain() {
        answers.addAll(List.of(token("first"), token("second")));
        login.loggedIn();
        login.expired("first");
        login.loggedIn();
        login.expired("first");
        assertThat(login.loggedIn()).isCompletedWithValue("second");
    }

    private static CompletableFuture<AuthenticateResponse> token(String token) {
        return CompletableFuture.completedFuture(
                AuthenticateResponse.newBuilder().setToken(token).build());
    }
}

package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.RecordedLog;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The renewals of one batch in a cluster, which are one script each. */
class RenewalsTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final List<CompletableFuture<byte[]>> replies = new ArrayList<>();

    private final Renewals renewals = new Renewals(client(), new byte[0], () -> true, () -> {});

    private final CompletableFuture<List<RenewAnswer>> answers = renewals.renew(List.of(renewal("a"), renewal("b")));

    private final RecordedLog log = new RecordedLog(Renewals.class);

    @AfterEach
    void stopRecording() {
        log.close();
    }

    @Test
    void aBatchWithoutAnyAnswerFailsAsItsFirstRenewal() {
        fail(0, "first");
        fail(1, "second");
        assertThat(catchThrowable(answers::join))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(BackendFailure.class)
                .hasMessageContaining("first");
        assertThat(log.messages()).isEmpty();
    }

    /** The engine then logs that it timed out. */
    @Test
    void aBatchThatIsGivenUpIsCancelled() {
        answers.cancel(true);
        assertThat(catchThrowable(answers::join)).isInstanceOf(CancellationException.class);
    }

    @Test
    void theLogNamesTheReasonIfSomeAreAnswered() {
        replies.get(0).complete(new byte[] {'1'});
        fail(1, "a node is down");
        assertThat(answers).isCompletedWithValue(List.of(RenewAnswer.RENEWED, RenewAnswer.UNKNOWN));
        assertThat(log.messages())
                .singleElement()
                .asString()
                .startsWith("No answer to the renewal of 1 of 2 locks: ")
                .contains("a node is down");
    }

    @Test
    void theAnswersOfABatchThatIsGivenUpAreKept() {
        replies.get(1).complete(new byte[] {'1'});
        answers.cancel(true);
        assertThat(answers).isCompletedWithValue(List.of(RenewAnswer.UNKNOWN, RenewAnswer.RENEWED));
        assertThat(log.messages()).containsExactly("No answer to the renewal of 1 of 2 locks: timed out");
    }

    private void fail(int renewal, String message) {
        replies.get(renewal).completeExceptionally(new IllegalStateException(message));
    }

    private static RenewCommand renewal(String key) {
        return new RenewCommand(LockId.of("cluster", key), new Token(1, key.charAt(0)), TTL);
    }

    private RedisClientAdapter client() {
        ScriptExecutor scripts = new ScriptExecutor() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
                CompletableFuture<byte[]> reply = new CompletableFuture<>();
                replies.add(reply);
                return (CompletableFuture<T>) reply;
            }
        };
        return (RedisClientAdapter) Proxy.newProxyInstance(
                RedisClientAdapter.class.getClassLoader(),
                new Class<?>[] {RedisClientAdapter.class},
                (proxy, method, arguments) -> scripts);
    }
}

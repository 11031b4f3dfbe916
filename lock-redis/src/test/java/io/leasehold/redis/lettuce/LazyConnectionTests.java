package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Attempts to open a connection. */
class LazyConnectionTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @Test
    void anAttemptWithoutAThreadFailsAndTheNextCallerStartsAnother() {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        LazyConnection<String> connection = new LazyConnection<>(() -> "open", task -> new Thread(task) {
            @Override
            public synchronized void start() {
                if (exhausted.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });

        assertThat(failure(connection.whenOpen()))
                .asInstanceOf(InstanceOfAssertFactories.type(BackendFailure.class))
                .satisfies(failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_DONE))
                .satisfies(failure -> assertThat(failure).hasMessageContaining("unable to create native thread"));

        exhausted.set(false);
        assertThat(connection.whenOpen()).succeedsWithin(DEADLINE).isEqualTo("open");
        assertThat(connection.now()).isEqualTo("open");
    }

    private static Throwable failure(CompletableFuture<?> future) {
        assertThat(future).failsWithin(DEADLINE);
        return future.handle((done, failure) -> failure instanceof CompletionException ? failure.getCause() : failure)
                .join();
    }
}

package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the stores that are in use what makes their locks less safe than they could be, each for a bounded time. */
final class StoreInspection {

    private final LockBackends backends;

    private final Duration timeout;

    StoreInspection(LockBackends backends, Duration timeout) {
        this.backends = backends;
        this.timeout = timeout;
    }

    /**
     * Asks all stores at once, for the configured time.
     *
     * @return what each of them will answer, by its name; ends in any case within the time
     */
    Map<String, CompletableFuture<List<SafetyFinding>>> begin() {
        return begin(timeout);
    }

    /**
     * Asks all stores at once.
     *
     * @param patience the longest to wait
     * @return what each of them will answer, by its name; ends in any case within the time
     */
    Map<String, CompletableFuture<List<SafetyFinding>>> begin(Duration patience) {
        Map<String, CompletableFuture<List<SafetyFinding>>> answers = new LinkedHashMap<>();
        backends.used().forEach((name, backend) -> answers.put(name, ask(backend, patience)));
        return answers;
    }

    /** The words for what went wrong. */
    static String explain(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return failure instanceof TimeoutException || cause instanceof TimeoutException
                ? "no answer in time"
                : String.valueOf(cause.getMessage());
    }

    private CompletableFuture<List<SafetyFinding>> ask(LockBackend backend, Duration patience) {
        try {
            return backend.inspect()
                    .thenApply(findings -> findings)
                    .toCompletableFuture()
                    .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }
}

package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the stores that are in use what makes their locks less safe than they could be, each for a bounded time. */
final class StoreInspection {

    private final LockBackends backends;

    private final Duration timeout;

    private final Duration clockOffset;

    private final InstantSource clock;

    StoreInspection(LockBackends backends, Duration timeout, Duration clockOffset, InstantSource clock) {
        this.backends = backends;
        this.timeout = timeout;
        this.clockOffset = clockOffset;
        this.clock = clock;
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
                    .thenCombine(compareClocks(backend), StoreInspection::together)
                    .toCompletableFuture()
                    .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private CompletionStage<List<SafetyFinding>> compareClocks(LockBackend backend) {
        ClockOffset offset = new ClockOffset(clock, clockOffset);
        return backend.clockMillis().thenApply(offset::answered).exceptionally(failure -> List.of());
    }

    private static List<SafetyFinding> together(List<SafetyFinding> some, List<SafetyFinding> more) {
        List<SafetyFinding> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }
}

package io.leasehold.autoconfigure;

import io.leasehold.actuate.StoreProbe;
import io.leasehold.autoconfigure.locker.LockBackends;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Queries the stores in use for settings that make their locks less safe, each for a bounded time. */
final class StoreInspection implements StoreProbe {

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
     * Queries all stores concurrently, with the configured timeout.
     *
     * @return the future answer of each store, by its name; each completes within the timeout
     */
    Map<String, CompletableFuture<List<SafetyFinding>>> begin() {
        return begin(timeout);
    }

    /**
     * Queries all stores concurrently.
     *
     * @param patience the longest wait
     * @return the future answer of each store, by its name; each completes within the timeout
     */
    Map<String, CompletableFuture<List<SafetyFinding>>> begin(Duration patience) {
        Map<String, CompletableFuture<List<SafetyFinding>>> answers = new LinkedHashMap<>();
        backends.used().forEach((name, backend) -> answers.put(name, ask(backend, patience)));
        return answers;
    }

    @Override
    public Map<String, StoreState> probe() {
        Map<String, StoreState> states = new TreeMap<>();
        begin().forEach((store, answer) -> states.put(store, state(answer)));
        return states;
    }

    private static StoreState state(CompletableFuture<List<SafetyFinding>> answer) {
        try {
            return StoreState.reachable(
                    answer.join().stream().map(SafetyFinding::toString).toList());
        } catch (CompletionException ex) {
            return StoreState.unreachable(explain(ex));
        }
    }

    /** The description of a failure, for messages. */
    static String explain(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (failure instanceof TimeoutException || cause instanceof TimeoutException) {
            return "no answer in time";
        }
        String message = String.valueOf(cause.getMessage());
        String reason = reason(cause);
        return message.contains(reason) ? message : message + ": " + reason;
    }

    /** The innermost message, or the enclosing message if it contains the same text with the address. */
    private static String reason(Throwable failure) {
        String reason = String.valueOf(failure.getMessage());
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            String inner = cause.getMessage();
            reason = inner == null || reason.contains(inner) ? reason : inner;
        }
        return reason;
    }

    /** The place where the application configures a store. */
    String setBy(String store) {
        return backends.setBy(store);
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

    /**
     * Compares the time of day of a store with that of this machine. The store read its clock at some moment between request
     * and answer, so only a difference beyond that interval counts.
     */
    static final class ClockOffset {

        private final InstantSource clock;

        private final Duration tolerated;

        private final long askedAt;

        ClockOffset(InstantSource clock, Duration tolerated) {
            this.clock = clock;
            this.tolerated = tolerated;
            this.askedAt = clock.millis();
        }

        List<SafetyFinding> answered(OptionalLong storeMillis) {
            if (storeMillis.isEmpty()) {
                return List.of();
            }
            long ahead = storeMillis.getAsLong() - clock.millis();
            long behind = askedAt - storeMillis.getAsLong();
            if (Math.max(ahead, behind) <= tolerated.toMillis()) {
                return List.of();
            }
            return List.of(new SafetyFinding(
                    "clock-offset",
                    "the store's clock is " + Math.max(ahead, behind) + " ms " + (ahead > 0 ? "ahead of" : "behind")
                            + " this machine's; locks do not depend on it, but fencing tokens may go back when another server"
                            + " takes over whose clock is right",
                    "Synchronise the clocks, or raise 'lock.safety.clock-offset'"));
        }
    }
}

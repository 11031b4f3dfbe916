package io.leasehold.autoconfigure;

import io.leasehold.LockerStatus;
import io.leasehold.actuate.StoreProbe;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.SafeCancellation;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Queries the stores in use for settings that make their locks less safe, each for a bounded time. */
final class StoreInspection implements StoreProbe {

    private static final Ticker TICKER = Ticker.system();

    private final LockBackends backends;

    private final Duration timeout;

    private final Duration clockOffset;

    private final InstantSource clock;

    private final Supplier<List<LockerStatus>> lockers;

    private final @Nullable StoreProbe parent;

    /**
     * Creates the inspection.
     *
     * @param clockOffset the largest difference between the clocks that is no finding
     * @param clock the time of day of this machine
     * @param lockers provides the state of the lockers, for their renewal lag
     * @param parent queries the stores of a parent context, {@code null} if there is none
     */
    StoreInspection(
            LockBackends backends,
            Duration timeout,
            Duration clockOffset,
            InstantSource clock,
            Supplier<List<LockerStatus>> lockers,
            @Nullable StoreProbe parent) {
        this.backends = backends;
        this.timeout = timeout;
        this.clockOffset = clockOffset;
        this.clock = clock;
        this.lockers = lockers;
        this.parent = parent;
    }

    /**
     * Queries all stores concurrently, with the configured timeout.
     *
     * @return the future answer of each store, by its name; each completes within the timeout
     */
    Map<String, CompletableFuture<List<SafetyFinding>>> begin() {
        Map<String, CompletableFuture<List<SafetyFinding>>> answers = new LinkedHashMap<>();
        ask(timeout).forEach((name, answer) -> answers.put(name, answer.thenApply(Answer::findings)));
        return answers;
    }

    /**
     * Queries one store.
     *
     * @param store the name of a store in use
     * @param timeout the longest wait
     * @return the future answer, which completes within the timeout
     */
    CompletableFuture<List<SafetyFinding>> begin(String store, Duration timeout) {
        LockBackend backend = backends.used().get(store);
        return backend == null
                ? CompletableFuture.completedFuture(List.of())
                : ask(backend, timeout).thenApply(Answer::findings);
    }

    @Override
    public Map<String, StoreState> probe() {
        Map<String, StoreState> states = new TreeMap<>();
        Map<String, CompletableFuture<Answer>> answers = ask(timeout);
        Map<String, Double> lags = renewalLags();
        answers.forEach((store, answer) -> states.put(store, state(answer, lags.get(store))));
        if (parent != null) {
            // a store of the same name may be another one
            parent.probe().forEach((store, above) -> states.merge(store, above, StoreState::worse));
        }
        return states;
    }

    private static StoreState state(CompletableFuture<Answer> answer, @Nullable Double renewalLag) {
        try {
            Answer given = answer.join();
            return StoreState.reachable(
                    given.findings().stream().map(SafetyFinding::toString).toList(),
                    new StoreFigures(millis(given.latency()), renewalLag, given.clockOffset()));
        } catch (CompletionException ex) {
            return StoreState.unreachable(explain(ex), new StoreFigures(null, renewalLag, null));
        }
    }

    /** The largest renewal lag of the lockers of each store, in milliseconds. */
    private Map<String, Double> renewalLags() {
        Map<String, Double> lags = new HashMap<>();
        for (LockerStatus locker : lockers.get()) {
            Duration lag = locker.renewalLag();
            if (lag != null) {
                lags.merge(locker.backend(), millis(lag), Math::max);
            }
        }
        return lags;
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
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

    private Map<String, CompletableFuture<Answer>> ask(Duration timeout) {
        Map<String, CompletableFuture<Answer>> answers = new LinkedHashMap<>();
        backends.used().forEach((name, backend) -> answers.put(name, ask(backend, timeout)));
        return answers;
    }

    private CompletableFuture<Answer> ask(LockBackend backend, Duration timeout) {
        long askedAt = TICKER.nanos();
        try {
            CompletableFuture<List<SafetyFinding>> inspected = backend.inspect().toCompletableFuture();
            ClockOffset offset = new ClockOffset(clock, clockOffset);
            long clockAskedAt = TICKER.nanos();
            CompletableFuture<OptionalLong> clockRead = backend.clockMillis().toCompletableFuture();
            CompletableFuture<Answer> answer = inspected
                    .thenApply(findings -> new Answer(findings, since(askedAt), null))
                    .thenCombine(compareClocks(clockRead, offset, clockAskedAt), Answer::with)
                    .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
            answer.whenComplete((done, failure) -> {
                SafeCancellation.cancel(inspected);
                SafeCancellation.cancel(clockRead);
            });
            return answer;
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** The clock of the store. The answer has no findings and no offset if the store cannot tell its time. */
    private static CompletableFuture<Optional<Answer>> compareClocks(
            CompletableFuture<OptionalLong> clockRead, ClockOffset offset, long askedAt) {
        return clockRead
                .thenApply(millis -> millis.isEmpty()
                        ? Optional.<Answer>empty()
                        : Optional.of(new Answer(
                                offset.answered(millis.getAsLong()),
                                since(askedAt),
                                offset.estimate(millis.getAsLong()))))
                .exceptionally(failure -> Optional.empty());
    }

    private static Duration since(long askedAt) {
        return Duration.ofNanos(TICKER.nanos() - askedAt);
    }

    /**
     * The answer of a store.
     *
     * @param latency how long the store took for one command if it reports its time, for the inspection otherwise
     * @param clockOffset how far its clock is ahead, in milliseconds; {@code null} if it cannot tell its time
     */
    private record Answer(
            List<SafetyFinding> findings,
            Duration latency,
            @Nullable Long clockOffset) {

        Answer with(Optional<Answer> ofClock) {
            if (ofClock.isEmpty()) {
                return this;
            }
            List<SafetyFinding> all = new ArrayList<>(findings);
            all.addAll(ofClock.get().findings());
            return new Answer(
                    List.copyOf(all), ofClock.get().latency(), ofClock.get().clockOffset());
        }
    }

    /**
     * Compares the time of day of a store with that of this machine. The store read its clock at some moment between
     * request and answer, so only a difference beyond that interval counts.
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

        /** How far the store's clock is ahead, if it read the clock halfway between request and answer. */
        long estimate(long storeMillis) {
            return storeMillis - (askedAt + clock.millis()) / 2;
        }

        List<SafetyFinding> answered(long storeMillis) {
            long ahead = storeMillis - clock.millis();
            long behind = askedAt - storeMillis;
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

package io.leasehold.autoconfigure;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.autoconfigure.locker.CreatedLockers;
import io.leasehold.autoconfigure.locker.KeyMaskingLocker;
import io.leasehold.autoconfigure.locker.LockerConfigurations;
import io.leasehold.autoconfigure.locker.LockersRegistrar;
import io.leasehold.autoconfigure.property.LockProperties.DisabledMode;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Creates the locker beans that {@link LockersRegistrar} has defined while {@code lock.enabled} is false. */
final class DisabledLockers implements CreatedLockers.Source {

    private final LockerConfigurations configurations;

    private final DisabledMode mode;

    private final boolean maskKeys;

    private final String setIn;

    private final InstantSource clock;

    private final AtomicLong lastToken = new AtomicLong();

    /**
     * Creates the factory.
     *
     * @param configurations the properties of lockers, which are only checked
     * @param setIn where {@code lock.enabled} is set, for messages; may be empty
     */
    DisabledLockers(
            LockerConfigurations configurations,
            DisabledMode mode,
            String setIn,
            boolean maskKeys,
            InstantSource clock) {
        this.configurations = configurations;
        this.mode = mode;
        this.setIn = setIn;
        this.maskKeys = maskKeys;
        this.clock = clock;
    }

    /** The locker of a bean, for the configured mode. */
    Locker locker(String name) {
        configurations.check(name);
        return create(name);
    }

    private Locker create(String name) {
        Locker locker = switch (mode) {
            case FAIL -> new Failing(name, setIn);
            case RUN_UNLOCKED -> new Granting(name, this::nextToken);
        };
        return KeyMaskingLocker.of(locker, maskKeys);
    }

    @Override
    public Locker open(String name, UnaryOperator<LockerSettings> settings) {
        return create(name);
    }

    /**
     * Microseconds since 1970, like most stores. When locks are enabled again, the tokens of these stores are greater.
     */
    private long nextToken() {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        return lastToken.updateAndGet(last -> Math.max(last + 1, now));
    }

    /** Grants nothing. */
    private record Failing(String name, String setIn) implements Locker {

        @Override
        public Duration waitTime() {
            return Duration.ZERO;
        }

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            throw failure(request);
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return CompletableFuture.failedFuture(failure(request));
        }

        private LockBackendException failure(LockRequest request) {
            return new LockBackendException(
                    "lock '" + request.key() + "' of locker '" + name
                            + "' is not granted, since 'lock.enabled' is false" + setIn + " and"
                            + " 'lock.disabled-mode' is 'fail'; set 'lock.enabled' to true",
                    name,
                    request.key(),
                    null);
        }
    }

    /** Grants everything, to all callers at the same time. */
    private record Granting(String name, LongSupplier tokens) implements Locker {

        @Override
        public Duration waitTime() {
            return Duration.ZERO;
        }

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            return Optional.of(new Unlocked(name, request.key(), tokens.getAsLong(), new AtomicBoolean()));
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return CompletableFuture.completedFuture(tryLock(request));
        }
    }

    /** The handle for a lock that is not taken. It is held until it is released, and never lost. */
    private record Unlocked(String locker, String key, long fencingToken, AtomicBoolean released)
            implements LockHandle {

        private static final Duration ENDLESS = Duration.ofDays(365);

        @Override
        public boolean isHeld() {
            return !released.get();
        }

        @Override
        public Duration remaining() {
            return isHeld() ? ENDLESS : Duration.ZERO;
        }

        @Override
        public void requireHeld() {
            if (!isHeld()) {
                throw new IllegalStateException("lock '" + LockState.printable(key) + "' of locker '" + locker
                        + "' was released. Acquire it again for further work");
            }
        }

        @Override
        public void renew() {
            requireHeld();
        }

        @Override
        public void renew(Duration ttl) {
            requireHeld();
        }

        @Override
        public void onLost(Consumer<? super LossReason> callback) {
            // A lock that was never taken cannot be lost.
        }

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            return CompletableFuture.completedFuture(released.compareAndSet(false, true));
        }
    }
}

package io.leasehold.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockListener.RenewOutcome;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The meters as Prometheus shows them. */
class MicrometerLockListenerTests {

    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final MicrometerLockListener listener = new MicrometerLockListener(prometheus, new Lockers());

    @Test
    void allMetersAreThereFromTheBeginning() {
        listener.register("deploy");

        assertThat(prometheus.scrape())
                .contains(
                        line("lock_acquire_seconds_count", "outcome=\"acquired\"", "0"),
                        line("lock_acquire_seconds_count", "outcome=\"timeout\"", "0"),
                        line("lock_acquire_seconds_count", "outcome=\"interrupted\"", "0"),
                        line("lock_acquire_seconds_count", "outcome=\"error\"", "0"),
                        line("lock_hold_seconds_count", null, "0"),
                        line("lock_renew_total", "outcome=\"success\"", "0.0"),
                        line("lock_renew_total", "outcome=\"failure\"", "0.0"),
                        line("lock_renew_total", "outcome=\"lost\"", "0.0"),
                        line("lock_lost_total", null, "0.0"),
                        line("lock_held", null, "3.0"),
                        line("lock_hold_oldest_seconds", null, "7.0"),
                        line("lock_wait_longest_seconds", null, "0.5"),
                        line("lock_handover_total", null, "0.0"),
                        line("lock_waiting", null, "3.0"),
                        line("lock_remaining_seconds", null, "2.5"),
                        line("lock_reaper_pending", null, "4.0"));
    }

    @Test
    void eventsAreCounted() {
        LockHandle handle = new HeldHandle();

        listener.acquireEnded(new Attempt("deploy", "a", false), AcquireOutcome.ACQUIRED, Duration.ofMillis(1500));
        listener.acquireEnded(new Attempt("deploy", "b", true), AcquireOutcome.ACQUIRED, Duration.ofMillis(500));
        listener.renewed(handle, RenewOutcome.SUCCESS);
        listener.renewed(handle, RenewOutcome.FAILURE);
        listener.renewed(handle, RenewOutcome.LOST);
        listener.released(handle, Duration.ofSeconds(2));
        listener.lost(handle, LossReason.EXPIRED, Duration.ofSeconds(4));

        assertThat(prometheus.scrape())
                .contains(
                        line("lock_acquire_seconds_sum", "outcome=\"acquired\"", "2.0"),
                        line("lock_handover_total", null, "1.0"),
                        line("lock_renew_total", "outcome=\"success\"", "1.0"),
                        line("lock_renew_total", "outcome=\"failure\"", "1.0"),
                        line("lock_renew_total", "outcome=\"lost\"", "1.0"),
                        line("lock_lost_total", null, "1.0"),
                        line("lock_hold_seconds_count", null, "2"),
                        line("lock_hold_seconds_sum", null, "6.0"));
    }

    /** The next event tries again. What an attempt has registered must not stay for each of them. */
    @Test
    void aLockerWhoseMetersCannotBeRegisteredHasNoGauges() {
        SimpleMeterRegistry refusing = new SimpleMeterRegistry() {
            @Override
            protected <T> Gauge newGauge(Meter.Id id, @Nullable T object, ToDoubleFunction<T> value) {
                if (id.getName().equals("lock.waiting")) {
                    throw new IllegalArgumentException("planted");
                }
                return super.newGauge(id, object, value);
            }
        };
        MicrometerLockListener refused = new MicrometerLockListener(refusing, new Lockers());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> refused.register("deploy"))
                .withMessage("planted");
        assertThat(refusing.find("lock.held").meter()).isNull();
    }

    @Test
    void keysMakeNoMeters() {
        listener.register("deploy");
        int meters = prometheus.getMeters().size();

        for (int i = 0; i < 1000; i++) {
            listener.acquireEnded(new Attempt("deploy", "key-" + i, false), AcquireOutcome.ACQUIRED, Duration.ZERO);
        }

        assertThat(prometheus.getMeters()).hasSize(meters);
        assertThat(prometheus.scrape()).doesNotContain("key-");
    }

    /** The registry may outlive the application, and a gauge keeps the lockers. Events are reported on another thread. */
    @Test
    void anEventAfterTheEndRegistersNoGauges() {
        listener.register("deploy");
        listener.close();

        listener.lost(new HeldHandle(), LossReason.SHUTDOWN, Duration.ofSeconds(1));

        assertThat(prometheus.scrape())
                .contains(line("lock_lost_total", null, "1.0"))
                .doesNotContain("lock_held{", "lock_waiting{", "lock_remaining_seconds{");
    }

    /** A bean may create a locker at run time while its context is closed. */
    @Test
    void aLockerThatIsCreatedAfterTheEndHasNoMeters() {
        listener.close();

        listener.register("deploy");
        listener.lost(new HeldHandle(), LossReason.SHUTDOWN, Duration.ofSeconds(1));

        assertThat(prometheus.getMeters()).isEmpty();
    }

    /** As of a context that is never closed. Another context may then have the gauges of that name. */
    @Test
    void gaugesDoNotKeepTheListenerInMemory() {
        WeakReference<MicrometerLockListener> forgotten = new WeakReference<>(registered());
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return forgotten.get() == null;
        });
        assertThat(prometheus.scrape()).contains(line("lock_hold_oldest_seconds", null, "7.0"));
    }

    private MicrometerLockListener registered() {
        MicrometerLockListener registered = new MicrometerLockListener(prometheus, new Lockers());
        registered.register("deploy");
        return registered;
    }

    /** Two child contexts may have lockers of one name and share the registry of their parent. */
    @Test
    void theEndOfAnotherContextLeavesTheGauges() {
        listener.register("deploy");
        MicrometerLockListener other = new MicrometerLockListener(prometheus, new Lockers());
        other.register("deploy");
        other.close();
        assertThat(prometheus.scrape()).contains(line("lock_held", null, "3.0"), line("lock_waiting", null, "3.0"));
        listener.close();
        assertThat(prometheus.scrape()).doesNotContain("lock_held{", "lock_waiting{");
    }

    /** The meters of the contexts are not found by their names then. */
    @Test
    void theEndOfAnotherContextLeavesGaugesThatTheApplicationRenames() {
        prometheus.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                return id.withName("shop." + id.getName());
            }
        });
        listener.register("deploy");
        MicrometerLockListener other = new MicrometerLockListener(prometheus, new Lockers());
        other.register("deploy");
        other.close();
        assertThat(prometheus.scrape()).contains(line("shop_lock_held", null, "3.0"));
        MicrometerLockListener third = new MicrometerLockListener(prometheus, new Lockers());
        third.register("deploy");
        listener.close();
        assertThat(prometheus.scrape()).contains(line("shop_lock_held", null, "3.0"));
        third.close();
        assertThat(prometheus.scrape()).doesNotContain("shop_lock_held{");
    }

    @Test
    void theEndOfTheContextThatHasTheGaugesGivesThemToTheOther() {
        listener.register("deploy");
        MicrometerLockListener other = new MicrometerLockListener(prometheus, new Lockers());
        other.register("deploy");
        listener.close();
        assertThat(prometheus.scrape()).contains(line("lock_held", null, "3.0"), line("lock_waiting", null, "3.0"));
        other.close();
        assertThat(prometheus.scrape()).doesNotContain("lock_held{", "lock_waiting{");
    }

    @Test
    void aLockerThatIsClosedLeavesTheMetersOfAnotherContext() {
        listener.register("deploy");
        MicrometerLockListener other = new MicrometerLockListener(prometheus, new Lockers());
        other.register("deploy");
        listener.forget("deploy");
        other.lost(new HeldHandle(), LossReason.EXPIRED, Duration.ofSeconds(1));
        assertThat(prometheus.scrape()).contains(line("lock_held", null, "3.0"), line("lock_lost_total", null, "1.0"));
        other.forget("deploy");
        assertThat(prometheus.getMeters()).isEmpty();
    }

    /** As an application with one locker per tenant drops the tag that has too many values. */
    @Test
    void aLockerThatIsClosedLeavesTheMetersThatItHasInCommonWithOthers() {
        SimpleMeterRegistry merged = new SimpleMeterRegistry();
        merged.config().meterFilter(MeterFilter.ignoreTags("locker"));
        MicrometerLockListener both = new MicrometerLockListener(merged, new Lockers(Set.of("deploy", "tenant")));
        both.register("tenant");
        both.register("deploy");
        both.forget("tenant");
        both.lost(new HeldHandle(), LossReason.EXPIRED, Duration.ofSeconds(1));
        assertThat(merged.get("lock.lost").counter().count()).isEqualTo(1);
        assertThat(merged.get("lock.hold").timer().count()).isEqualTo(1);
        assertThat(merged.get("lock.acquire").timers()).hasSameSizeAs(AcquireOutcome.values());
        assertThat(merged.get("lock.held").gauge().value()).isEqualTo(3);
        both.forget("deploy");
        assertThat(merged.getMeters()).isEmpty();
    }

    private static String line(String name, String outcome, String value) {
        return name + "{backend=\"redis\",locker=\"deploy\"" + (outcome == null ? "" : "," + outcome) + "} " + value
                + "\n";
    }

    private record Attempt(String locker, String key, boolean isHandedOver) implements LockAttempt {}

    private record Lockers(Set<String> names) implements LockerRegistry {

        Lockers() {
            this(Set.of("deploy"));
        }

        @Override
        public Locker get(String name) {
            throw new AssertionError("meters need no locker");
        }

        @Override
        public LockerStatus status(String name) {
            return new LockerStatus(
                    name,
                    "redis",
                    List.of(
                            new LockerStatus.Hold(
                                    new HeldHandle(Duration.ofMillis(500)), Duration.ofSeconds(1), 0, null),
                            new LockerStatus.Hold(new HeldHandle(), Duration.ofSeconds(5), 1, null),
                            new LockerStatus.Hold(new HeldHandle(), Duration.ofSeconds(7), 2, null)),
                    List.of(new LockerStatus.Waiter("a", Duration.ofMillis(500), 1, null)),
                    3,
                    4,
                    null);
        }
    }

    private static final class HeldHandle implements LockHandle {

        private final Duration remaining;

        HeldHandle() {
            this(Duration.ofMillis(2500));
        }

        HeldHandle(Duration remaining) {
            this.remaining = remaining;
        }

        @Override
        public String locker() {
            return "deploy";
        }

        @Override
        public String key() {
            return "key";
        }

        @Override
        public long fencingToken() {
            return 1;
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public Duration remaining() {
            return remaining;
        }

        @Override
        public void requireHeld() {}

        @Override
        public void renew() {}

        @Override
        public void renew(Duration ttl) {}

        @Override
        public void onLost(Consumer<? super LossReason> callback) {}

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            return CompletableFuture.completedFuture(true);
        }
    }
}

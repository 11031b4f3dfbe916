package io.leasehold.faults;

import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Breaks the network of one process. */
final class NetworkBreakage implements Breakage {

    private static final Duration LONGEST_APPROACH = Duration.ofMillis(300);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

    /** Whether the fault has to meet a renewal of the watchdog. */
    private final boolean meetsRenewal;

    private final Duration longestApproach;

    private final NetworkFault fault;

    private final Position position;

    private final Duration outage;

    private final List<FaultProxy> proxies;

    NetworkBreakage(FaultCase plan, FaultyProcess process, Duration ttl) {
        this.meetsRenewal = plan.operation() == Operation.HOLD;
        this.longestApproach = meetsRenewal ? ttl.dividedBy(2) : LONGEST_APPROACH;
        this.fault = Objects.requireNonNull(plan.network());
        this.position = plan.position();
        this.outage = plan.outage();
        this.proxies = plan.nodes().stream().map(process.network()::get).toList();
    }

    @Override
    public void begin() {
        switch (position) {
            case BEFORE_REQUEST -> proxies.forEach(this::breakRequests);
            case BEFORE_REPLY ->
                proxies.forEach(proxy ->
                        proxy.set(fault == NetworkFault.LOSE_REPLY ? FaultMode.LOSE_REPLY : FaultMode.STALL_REPLIES));
            case INSIDE_REPLY ->
                proxies.forEach(
                        proxy -> proxy.strikeInsideNextReply(fault.cuts() ? cutMode() : FaultMode.STALL_REPLIES));
            case FIRST_USE -> {
                proxies.forEach(FaultProxy::cut);
                proxies.forEach(this::breakAll);
            }
        }
    }

    @Override
    public void strike() {
        if (fault != NetworkFault.RESET && fault != NetworkFault.REFUSE) {
            return;
        }
        if (position == Position.BEFORE_REPLY) {
            approach(proxy -> proxy.held() > 0);
            proxies.forEach(proxy -> proxy.set(cutMode()));
        } else if (position == Position.INSIDE_REPLY) {
            approach(proxy -> proxy.mode() == cutMode());
            proxies.forEach(proxy -> proxy.set(cutMode()));
        }
    }

    @Override
    public void outlast(Future<?> operation) {
        boolean delays =
                fault == NetworkFault.DELAY && (position == Position.BEFORE_REQUEST || position == Position.FIRST_USE);
        if (delays || meetsRenewal || fault == NetworkFault.LATE_PACKET) {
            await(operation, Future::isDone, System.nanoTime(), LONGEST_WAIT);
        }
        // a held lock has only sent its renewal
        if (!delays || meetsRenewal) {
            LockSupport.parkNanos(outage.toNanos());
        }
    }

    @Override
    public void heal() {
        proxies.forEach(FaultProxy::pass);
    }

    private void breakRequests(FaultProxy proxy) {
        switch (fault) {
            case STALL, LATE_PACKET -> proxy.set(FaultMode.STALL_REQUESTS);
            case LOSE_REPLY -> proxy.loseNextReply();
            case DELAY -> proxy.delay(outage);
            case RESET, REFUSE -> proxy.set(cutMode());
        }
    }

    private void breakAll(FaultProxy proxy) {
        switch (fault) {
            case STALL, LATE_PACKET -> proxy.set(FaultMode.STALL);
            case LOSE_REPLY, RESET, REFUSE -> proxy.set(cutMode());
            case DELAY -> proxy.delay(outage);
        }
    }

    private FaultMode cutMode() {
        return switch (fault) {
            case LOSE_REPLY -> FaultMode.LOSE_REPLY;
            case REFUSE -> FaultMode.REFUSE;
            default -> FaultMode.RESET;
        };
    }

    private void approach(Predicate<FaultProxy> reached) {
        long start = System.nanoTime();
        proxies.forEach(proxy -> await(proxy, reached, start, longestApproach));
    }

    private static <T> void await(T subject, Predicate<T> reached, long start, Duration longest) {
        while (!reached.test(subject) && System.nanoTime() - start < longest.toNanos()) {
            LockSupport.parkNanos(500_000);
        }
    }
}

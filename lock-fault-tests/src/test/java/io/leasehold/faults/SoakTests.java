package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.contract.LockLoad;
import io.leasehold.testsupport.Disturbance;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs for a configurable time on each store. The networks of three processes fail; the servers stall, restart and,
 * where documented, lose their data. Callers block, cancel, are interrupted, hold for too long or forget to release.
 *
 * <p>No lock has two valid views, unless the store lost it, and no fencing token decreases. At the end of each round,
 * every key is free within a ttl and a second, every process can acquire it, no caller waits and no lock is being
 * removed.
 */
@Tag("soak")
@Timeout(value = 1, unit = TimeUnit.DAYS)
class SoakTests {

    private static final int PROCESSES = 3;

    private static final int THREADS = 12;

    private static final int LOCKS_EACH = 30;

    private static final List<String> KEYS =
            IntStream.range(0, 8).mapToObj(i -> "soak-" + i).toList();

    private final QuietLog quiet = new QuietLog("ROOT");

    private final List<FaultyProcess> processes = new ArrayList<>();

    private Random random;

    static Stream<FaultMatrixContract> stores() {
        return Stream.of(
                new LettuceFaultMatrixTests(),
                new JedisFaultMatrixTests(),
                new RedlockFaultMatrixTests(),
                new SentinelFaultMatrixTests(),
                new ClusterFaultMatrixTests(),
                new PostgresFaultMatrixTests(),
                new MariaDbFaultMatrixTests(),
                new PostgresRowFaultMatrixTests(),
                new MariaDbRowFaultMatrixTests(),
                new EtcdFaultMatrixTests());
    }

    @BeforeEach
    void seed() {
        random = Seeds.random("the soak");
    }

    @AfterEach
    void speakAgain() {
        quiet.close();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void noPromiseIsViolatedForALongTime(FaultMatrixContract contract) throws Exception {
        long nanos = TimeUnit.MINUTES.toNanos(Long.getLong("leasehold.minutes", 1));
        try (BreakableStore store = contract.ownStore();
                FaultyProcess calm = FaultyProcess.direct(store)) {
            IntStream.range(0, PROCESSES).forEach(i -> processes.add(FaultyProcess.behindProxies(store)));
            long begin = System.nanoTime();
            int grants = 0;
            int serverFaults = 0;
            while (System.nanoTime() - begin < nanos) {
                List<FaultCase> suffered = new ArrayList<>();
                grants += round(store, suffered);
                serverFaults += suffered.size();
                requireNothingLeft(store, calm);
            }
            assertThat(serverFaults).isPositive();
            System.out.println(store.name() + ": " + grants + " grants and " + serverFaults
                    + " faults of servers, nothing violated");
        } finally {
            processes.forEach(FaultyProcess::close);
        }
    }

    /** A load while networks fail and servers have one fault after the other. */
    private int round(BreakableStore store, List<FaultCase> suffered) throws Exception {
        List<Locker> lockers =
                processes.stream().<Locker>map(FaultyProcess::locker).toList();
        List<FaultProxy> networks =
                processes.stream().flatMap(each -> each.network().stream()).toList();
        LockLoad load = new LockLoad(lockers, KEYS, store.ttl());
        CountDownLatch over = new CountDownLatch(1);
        FutureTask<Void> breaker = new FutureTask<>(() -> breakServers(store, over, suffered));
        new Thread(breaker, "soak-servers").start();
        try (Disturbance disturbance = new Disturbance(networks, store.ttl().dividedBy(2))) {
            load.run(THREADS, LOCKS_EACH, Seeds.random("LockLoad"));
            assertThat(disturbance.faults()).isPositive();
        } finally {
            over.countDown();
            breaker.get();
        }
        boolean mayOverlap =
                !store.keepsLocksOfBrokenConnections() || suffered.stream().anyMatch(store::mayLoseGrants);
        assertThat(load.history().violations())
                .as("%s, after %s", store.name(), suffered)
                .filteredOn(violation -> !mayOverlap || !violation.startsWith("overlap"))
                .isEmpty();
        assertThat(load.history().size()).isPositive();
        return load.history().size();
    }

    private Void breakServers(BreakableStore store, CountDownLatch over, List<FaultCase> suffered)
            throws InterruptedException {
        List<ServerFault> faults = store.serverFaults().stream().sorted().toList();
        while (!over.await(random.nextInt((int) store.ttl().toMillis()), TimeUnit.MILLISECONDS)) {
            ServerFault fault = faults.get(random.nextInt(faults.size()));
            FaultCase plan = FaultCase.ofServer(store, fault, 1, random).get(0);
            suffered.add(plan);
            store.strike(fault, plan.nodes());
            TimeUnit.NANOSECONDS.sleep(plan.outage().toNanos());
            store.heal(fault, plan.nodes());
        }
        return null;
    }

    private void requireNothingLeft(BreakableStore store, FaultyProcess calm) {
        Duration soon = store.recovery().plusSeconds(20);
        KEYS.forEach(key -> await("'" + key + "' is free").atMost(soon).until(() -> canBeHad(calm, key)));
        for (FaultyProcess process : processes) {
            KEYS.forEach(
                    key -> await("'" + key + "' can be had again").atMost(soon).until(() -> canBeHad(process, key)));
            await().atMost(soon)
                    .until(
                            () -> process.locker().status(),
                            status ->
                                    status.held().isEmpty() && status.waiting() == 0 && status.pendingRemovals() == 0);
        }
    }

    private static boolean canBeHad(FaultyProcess process, String key) {
        try {
            return process.locker().tryLock(key).filter(LockHandle::release).isPresent();
        } catch (LockBackendException reconnecting) {
            return false;
        }
    }
}

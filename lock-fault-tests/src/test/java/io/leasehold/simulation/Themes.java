package io.leasehold.simulation;

import io.leasehold.simulation.Plan.CallerPlan;
import io.leasehold.simulation.Plan.Fault;
import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.simulation.Plan.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Plans with combinations of events that are rare in random plans. */
final class Themes {

    private static final long MILLI = 1_000_000;

    private static final long FAST = 15_000;

    /** A ttl that is longer than the five seconds for which a removal goes on after the ttl. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private Themes() {}

    /** Returns the plan, sometimes with a theme. */
    static Plan vary(Plan plan, SplittableRandom random) {
        if (plan.calm()) {
            return plan;
        }
        if (plan.store() == StoreKind.SCRIPT && random.nextInt(12) == 0) {
            return hotLock(plan, random);
        }
        if (plan.store() == StoreKind.SCRIPT && plan.processes().size() > 1 && random.nextInt(6) == 0) {
            return lateGrants(plan, random);
        }
        if (plan.store() == StoreKind.QUORUM && random.nextInt(4) == 0) {
            return restartedVoter(plan, random);
        }
        boolean single = plan.store() == StoreKind.SCRIPT || plan.store() == StoreKind.TABLE;
        if (single && plan.ttl().compareTo(LONG) >= 0 && random.nextInt(8) == 0) {
            return lateRemoval(plan, random);
        }
        return plan;
    }

    /** One lock that is acquired repeatedly, as fast as the network allows, and a store that loses its data. */
    private static Plan hotLock(Plan plan, SplittableRandom random) {
        List<CallerPlan> callers = new ArrayList<>();
        long at = random.nextLong(10 * MILLI);
        for (int i = 0; i <= random.nextInt(3); i++) {
            int times = 60 + random.nextInt(60);
            callers.add(caller("caller" + i, 0, at, plan.ttl(), random.nextLong(40_000), times));
        }
        long flushedAt = at + MILLI + random.nextLong(10 * MILLI);
        List<FaultPlan> faults = List.of(new FaultPlan("fault0", Fault.FLUSH, 0, flushedAt, 0, 1));
        return plan.with(FAST, callers, faults);
    }

    /** Several processes that grant one lock to each other, and messages that are about as late as a grant is long. */
    private static Plan lateGrants(Plan plan, SplittableRandom random) {
        long longest = Math.min(plan.ttl().toNanos(), 1_000 * MILLI);
        int processes = plan.processes().size();
        List<CallerPlan> callers = new ArrayList<>();
        for (int i = 0; i < processes + random.nextInt(3); i++) {
            long at = random.nextLong(20 * MILLI);
            int times = 20 + random.nextInt(60);
            callers.add(caller("caller" + i, i % processes, at, plan.ttl(), random.nextLong(5 * MILLI), times));
        }
        List<FaultPlan> faults = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            Fault kind = List.of(Fault.STALL, Fault.STALL_REPLIES, Fault.PAUSE, Fault.BREAK)
                    .get(random.nextInt(4));
            long at = 20 * MILLI + random.nextLong(100 * MILLI);
            long length = longest / 2 + random.nextLong(longest);
            faults.add(
                    new FaultPlan("fault" + i, kind, random.nextInt(processes), at, length, random.nextLong(1L << 40)));
        }
        return plan.with(plan.latency(), callers, faults);
    }

    /**
     * A holder with leases on only a quorum of the nodes, one of which restarts, and a caller that waits for the lock.
     */
    private static Plan restartedVoter(Plan plan, SplittableRandom random) {
        long ttl = plan.ttl().toNanos();
        long at = random.nextLong(200 * MILLI);
        int last = plan.processes().size() - 1;
        List<CallerPlan> callers = new ArrayList<>();
        callers.add(caller("caller0", 0, at + 5 * MILLI, plan.ttl(), 2 * ttl, 1));
        callers.add(caller("caller1", last, at + 20 * MILLI, plan.ttl().multipliedBy(3), MILLI, 1));
        int away = random.nextInt(plan.voters());
        List<FaultPlan> faults = new ArrayList<>();
        for (int i = 0; i < plan.voters() / 2; i++) {
            faults.add(new FaultPlan("fault" + i, Fault.STALL, 0, at, 3 * ttl, (away + i) % plan.voters()));
        }
        int restarted = (away + plan.voters() / 2) % plan.voters();
        long restartAt = at + 10 * MILLI + random.nextLong(ttl);
        faults.add(new FaultPlan("restart", Fault.RESTART, 0, restartAt, 0, restarted));
        return plan.with(plan.latency(), callers, faults);
    }

    /** A lease that is renewed for longer than its ttl, and whose release is not answered for longer than its ttl. */
    private static Plan lateRemoval(Plan plan, SplittableRandom random) {
        long at = random.nextLong(10 * MILLI);
        long hold = 100 * MILLI + random.nextLong(200 * MILLI);
        CallerPlan holder = caller("caller0", 0, at, plan.ttl(), hold, 1, Plan.Renewal.FOR_LONGER);
        long stalledAt = at + hold * 3 / 4;
        long length = plan.ttl().toNanos() + random.nextLong(plan.ttl().toNanos());
        List<FaultPlan> faults = List.of(
                new FaultPlan("stall", Fault.STALL, 0, stalledAt, length, 0),
                // requests that the stall has delayed are lost
                new FaultPlan("break", Fault.BREAK, 0, stalledAt + length - MILLI, 0, 0));
        return plan.with(plan.latency(), List.of(holder), faults);
    }

    private static CallerPlan caller(String name, int process, long at, Duration waitTime, long hold, int times) {
        return caller(name, process, at, waitTime, hold, times, Plan.Renewal.NONE);
    }

    private static CallerPlan caller(
            String name, int process, long at, Duration waitTime, long hold, int times, Plan.Renewal renewal) {
        return new CallerPlan(
                name,
                process,
                at,
                "a",
                false,
                waitTime,
                true,
                Duration.ZERO,
                Duration.ZERO,
                hold,
                times,
                Plan.GiveUp.NOT,
                0,
                Plan.Callback.RETURNS,
                0,
                Plan.Ending.RELEASE,
                renewal,
                false,
                false);
    }
}

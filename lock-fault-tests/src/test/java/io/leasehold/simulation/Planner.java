package io.leasehold.simulation;

import io.leasehold.simulation.Plan.Callback;
import io.leasehold.simulation.Plan.CallerPlan;
import io.leasehold.simulation.Plan.Ending;
import io.leasehold.simulation.Plan.Fault;
import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.simulation.Plan.GiveUp;
import io.leasehold.simulation.Plan.ProcessPlan;
import io.leasehold.simulation.Plan.Renewal;
import io.leasehold.simulation.Plan.RevocationPlan;
import io.leasehold.simulation.Plan.ShutdownPlan;
import io.leasehold.simulation.Plan.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Draws plans. Most of them are short and crowded, because such plans have the most orders of events. */
final class Planner {

    /** Two clocks differ by less than the hundredth that the allowance of validity covers (rules.md R1). */
    private static final double GREATEST_DRIFT = 0.0045;

    private static final long MILLI = 1_000_000;

    private static final List<Fault> FAULTS = List.of(
            Fault.PAUSE,
            Fault.STEP_PAUSES,
            Fault.SUSPEND,
            Fault.CLOCK_FORWARD,
            Fault.CLOCK_BACK,
            Fault.BREAK,
            Fault.BREAK,
            Fault.BREAK,
            Fault.STALL_REQUESTS,
            Fault.STALL_REPLIES,
            Fault.STALL,
            Fault.SERVER_STALL,
            Fault.KILL,
            Fault.EXPLODE);

    private final long seed;

    private final SplittableRandom random;

    private final StoreKind store;

    private final Duration ttl;

    private final boolean calm;

    private final long span;

    private final int processes;

    /** Whether callbacks may block. Each callback then needs a stack of its own, which makes the history slower. */
    private final boolean blocks;

    private Planner(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.store = one(StoreKind.SCRIPT, StoreKind.SCRIPT, StoreKind.TABLE, StoreKind.QUEUE, StoreKind.QUORUM);
        this.ttl = store == StoreKind.QUEUE
                ? Duration.ofSeconds(pick(2, 5, 30))
                : Duration.ofMillis(pick(600, 600, 2_000, 30_000));
        this.calm = random.nextInt(3) == 0;
        this.span = MILLI * pick(100, 500, 2_000);
        this.processes = 1 + random.nextInt(3);
        this.blocks = random.nextInt(4) == 0;
    }

    static Plan plan(long seed) {
        Planner planner = new Planner(seed);
        return Themes.vary(planner.draw(), planner.random);
    }

    private Plan draw() {
        long latency = pick(15_000, 100_000, 500_000, store == StoreKind.QUORUM ? 300_000 : 3 * MILLI);
        List<ProcessPlan> machines = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            machines.add(new ProcessPlan(speed(), firstNanos(), pick(0, 1, 3, 64, 255)));
        }
        List<CallerPlan> callers = new ArrayList<>();
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            callers.add(caller("caller" + callers.size()));
        }
        List<ShutdownPlan> shutdowns = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            shutdowns.add(shutdown());
        }
        List<RevocationPlan> revocations = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0; i > 0; i--) {
            revocations.add(revocation("revocation" + revocations.size(), callers));
        }
        List<FaultPlan> faults = new ArrayList<>();
        for (int i = calm ? 0 : 1 + random.nextInt(4); i > 0; i--) {
            FaultPlan fault = fault("fault" + faults.size(), faultAt(callers, faults));
            if (faults.stream().noneMatch(other -> hideEachOther(fault, other))) {
                faults.add(fault);
            }
        }
        Duration retention =
                store == StoreKind.SCRIPT && random.nextInt(4) == 0 ? ttl.multipliedBy(2) : Duration.ofDays(1);
        return new Plan(
                seed,
                store,
                calm,
                latency,
                speed(),
                ttl,
                retention,
                1 + random.nextInt(3),
                pick(3, 3, 5),
                machines,
                callers,
                shutdowns,
                revocations,
                faults);
    }

    private CallerPlan caller(String name) {
        boolean async = random.nextInt(3) == 0;
        boolean burst = store == StoreKind.SCRIPT && random.nextInt(40) == 0;
        boolean autoRenew = random.nextInt(4) != 0;
        Duration minHold = random.nextInt(5) == 0 ? ttl.dividedBy(2 + random.nextInt(3)) : Duration.ZERO;
        Duration maxHold = autoRenew && random.nextInt(8) == 0 ? ttl.plusMillis(random.nextInt(300)) : Duration.ZERO;
        GiveUp giveUp = GiveUp.NOT;
        if (random.nextInt(4) == 0) {
            giveUp = async ? one(GiveUp.CANCEL, GiveUp.TIME_OUT, GiveUp.COMPLETE) : GiveUp.INTERRUPT;
        }
        return new CallerPlan(
                name,
                random.nextInt(processes),
                random.nextLong(span),
                random.nextInt(4) == 0 ? "b" : "a",
                async,
                Duration.ofNanos(random.nextInt(3) == 0 ? 0 : random.nextLong(2 * span) + MILLI),
                autoRenew,
                minHold,
                maxHold,
                burst ? random.nextLong(40_000) : length(),
                burst ? 60 + random.nextInt(60) : random.nextInt(3) == 0 ? 2 + random.nextInt(4) : 1,
                giveUp,
                random.nextLong(random.nextBoolean() ? 4 * MILLI : span),
                random.nextInt(3) == 0
                        ? one(Callback.THROWS, blocks ? Callback.BLOCKS : Callback.THROWS)
                        : Callback.RETURNS,
                ttl.toNanos() / 2 + random.nextLong(2 * ttl.toNanos()),
                one(Ending.RELEASE, Ending.RELEASE, Ending.CLOSE, Ending.ASYNC, Ending.TWICE),
                random.nextInt(6) == 0 ? one(Renewal.FOR_THE_TTL, Renewal.FOR_LONGER) : Renewal.NONE,
                // a timer may be late by a good part of a ttl that is shorter than the shortest of a plan
                ttl.toMillis() >= 2_000 && random.nextInt(8) == 0,
                random.nextInt(8) == 0);
    }

    /** Draws a forced release: mostly of a lock that a caller has just acquired, or that was handed over. */
    private RevocationPlan revocation(String name, List<CallerPlan> callers) {
        CallerPlan holder = callers.get(random.nextInt(callers.size()));
        return new RevocationPlan(
                name,
                random.nextInt(processes),
                holder.at() + random.nextLong(random.nextBoolean() ? 10 * MILLI : span),
                holder.key(),
                random.nextBoolean() ? 0 : random.nextLong(20 * MILLI),
                random.nextInt(4) == 0);
    }

    /** Draws a hold time: mostly short, sometimes longer than several renewals, sometimes zero. */
    private long length() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(50_000);
            case 1 -> random.nextLong(Math.min(ttl.toNanos(), 4_000 * MILLI) * 2);
            default -> random.nextLong(20 * MILLI);
        };
    }

    private ShutdownPlan shutdown() {
        boolean close = random.nextBoolean();
        return new ShutdownPlan(
                "shutdown",
                random.nextInt(processes),
                random.nextLong(span),
                random.nextBoolean() ? 0 : random.nextLong(span),
                close,
                close ? 0 : random.nextLong(span));
    }

    /** Draws the time of a fault: close to another fault, or at a time with many calls. */
    private long faultAt(List<CallerPlan> callers, List<FaultPlan> faults) {
        return switch (random.nextInt(4)) {
            case 0 -> callers.get(random.nextInt(callers.size())).at() + random.nextLong(10 * MILLI);
            case 1 -> faults.isEmpty() ? 0 : faults.get(0).at() + random.nextLong(ttl.toNanos() / 2);
            default -> random.nextLong(span * 3 / 2);
        };
    }

    /**
     * Whether the two faults hide each other. A suspended machine whose time of day is set back by the same time looks
     * like one that was not suspended.
     */
    private static boolean hideEachOther(FaultPlan one, FaultPlan other) {
        Set<Fault> kinds = EnumSet.of(one.kind(), other.kind());
        return one.process() == other.process() && kinds.equals(EnumSet.of(Fault.SUSPEND, Fault.CLOCK_BACK));
    }

    private FaultPlan fault(String name, long at) {
        Fault kind = one(FAULTS.toArray(Fault[]::new));
        if (random.nextInt(4) == 0) {
            kind = switch (store) {
                case SCRIPT -> Fault.FLUSH;
                case TABLE -> Fault.ROW_LOCK;
                case QUORUM -> Fault.RESTART;
                case QUEUE -> kind;
            };
        }
        long longest = Math.min(ttl.toNanos() * 2, TimeUnit.SECONDS.toNanos(4));
        long length = random.nextBoolean() ? random.nextLong(longest) : random.nextLong(ttl.toNanos() / 5);
        return new FaultPlan(name, kind, random.nextInt(processes), at, length, random.nextLong(1L << 40));
    }

    /** Draws the first value of a monotonic clock, which may be any number, including one that soon overflows. */
    private long firstNanos() {
        return random.nextInt(8) == 0
                ? Long.MAX_VALUE - random.nextLong(2 * span)
                : random.nextLong(1L << 50) - (1L << 49);
    }

    private double speed() {
        return 1 + (random.nextDouble() * 2 - 1) * GREATEST_DRIFT;
    }

    private long pick(long... values) {
        return values[random.nextInt(values.length)];
    }

    private int pick(int... values) {
        return values[random.nextInt(values.length)];
    }

    @SafeVarargs
    private <T> T one(T... values) {
        return values[random.nextInt(values.length)];
    }
}

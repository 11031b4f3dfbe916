package io.leasehold.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The planned part of a history: the store, the processes, the callers' acquisitions and the faults. The rest is
 * random. Elements have names, by which the shrinker removes them.
 *
 * @param calm whether nothing fails outside the processes, so that no lock may be lost
 * @param stepPauses whether a pause may begin in the middle of a step
 */
record Plan(
        long seed,
        StoreKind store,
        boolean calm,
        long latency,
        double serverSpeed,
        Duration ttl,
        Duration fenceRetention,
        int connections,
        int voters,
        List<ProcessPlan> processes,
        List<CallerPlan> callers,
        List<ShutdownPlan> shutdowns,
        List<RevocationPlan> revocations,
        List<FaultPlan> faults) {

    /** This plan without some of its elements. */
    Plan without(Set<String> names) {
        return new Plan(
                seed,
                store,
                calm,
                latency,
                serverSpeed,
                ttl,
                fenceRetention,
                connections,
                voters,
                processes,
                callers.stream().filter(one -> !names.contains(one.name())).toList(),
                shutdowns.stream().filter(one -> !names.contains(one.name())).toList(),
                revocations.stream().filter(one -> !names.contains(one.name())).toList(),
                faults.stream().filter(one -> !names.contains(one.name())).toList());
    }

    /** Returns this plan with another network, other callers and other faults. No engine is shut down. */
    Plan with(long otherLatency, List<CallerPlan> otherCallers, List<FaultPlan> otherFaults) {
        return new Plan(
                seed,
                store,
                calm,
                otherLatency,
                serverSpeed,
                ttl,
                fenceRetention,
                connections,
                voters,
                processes,
                otherCallers,
                List.of(),
                revocations,
                otherFaults);
    }

    /** The names of all elements that can be removed. */
    List<String> elements() {
        return java.util.stream.Stream.of(
                        faults.stream().map(FaultPlan::name),
                        shutdowns.stream().map(ShutdownPlan::name),
                        revocations.stream().map(RevocationPlan::name),
                        callers.stream().map(CallerPlan::name))
                .flatMap(names -> names)
                .toList();
    }

    /** The families of stores. */
    enum StoreKind {
        SCRIPT,
        TABLE,
        QUEUE,
        QUORUM
    }

    /** A process. */
    record ProcessPlan(double speed, long firstNanos, int maxLocalHandoffs) {}

    /** A caller, which may acquire the lock several times. */
    record CallerPlan(
            String name,
            int process,
            long at,
            String key,
            boolean async,
            Duration waitTime,
            boolean autoRenew,
            Duration minHold,
            Duration maxHold,
            long hold,
            int times,
            GiveUp giveUp,
            long giveUpAfter,
            Callback callback,
            long blocks,
            Ending ending,
            Renewal renewal,
            boolean shortTtl,
            boolean otherLocker) {}

    /** The way in which a caller ends its wait early. */
    enum GiveUp {
        NOT,
        INTERRUPT,
        CANCEL,
        TIME_OUT,
        COMPLETE
    }

    /** The behaviour of a caller's callbacks. */
    enum Callback {
        RETURNS,
        THROWS,
        BLOCKS
    }

    /** The way in which a caller ends its hold. */
    enum Ending {
        RELEASE,
        CLOSE,
        ASYNC,
        TWICE
    }

    /** The renewal for which a caller asks in the middle of its hold. */
    enum Renewal {
        NONE,
        FOR_THE_TTL,
        FOR_LONGER
    }

    /** A question for the holder of a lock, and the forced release of the holder that the answer names. */
    record RevocationPlan(String name, int process, long at, String key, long after, boolean repeated) {}

    /** The shutdown of an engine. */
    record ShutdownPlan(String name, int process, long at, long grace, boolean close, long resumeAfter) {}

    /** A fault. */
    record FaultPlan(String name, Fault kind, int process, long at, long length, long other) {}

    /** Kinds of faults. */
    enum Fault {
        PAUSE,
        STEP_PAUSES,
        SUSPEND,
        CLOCK_FORWARD,
        CLOCK_BACK,
        BREAK,
        STALL_REQUESTS,
        STALL_REPLIES,
        STALL,
        SERVER_STALL,
        KILL,
        EXPLODE,
        FLUSH,
        ROW_LOCK,
        RESTART
    }
}

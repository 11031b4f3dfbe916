package io.leasehold.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is going to happen in a history, as far as it is not left to chance: the store, the processes, what their callers
 * want, and what goes wrong. Elements have names, by which the shrinker leaves them out.
 *
 * @param calm whether nothing goes wrong outside of the processes, so that no lock may be lost
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
                faults.stream().filter(one -> !names.contains(one.name())).toList());
    }

    /** This plan with another network, and with others that use it and hinder it; no engine is shut down. */
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
                otherFaults);
    }

    /** The names of all elements that can be left out. */
    List<String> elements() {
        return java.util.stream.Stream.of(
                        faults.stream().map(FaultPlan::name),
                        shutdowns.stream().map(ShutdownPlan::name),
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

    /** A caller, which may want the lock several times. */
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
            boolean renews) {}

    /** How a caller ends its wait before its time. */
    enum GiveUp {
        NOT,
        INTERRUPT,
        CANCEL,
        TIME_OUT,
        COMPLETE
    }

    /** What a caller's callbacks do. */
    enum Callback {
        RETURNS,
        THROWS,
        BLOCKS
    }

    /** How a caller ends its hold. */
    enum Ending {
        RELEASE,
        CLOSE,
        ASYNC,
        TWICE
    }

    /** The end of an engine. */
    record ShutdownPlan(String name, int process, long at, long grace, boolean close, long resumeAfter) {}

    /** What goes wrong. */
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

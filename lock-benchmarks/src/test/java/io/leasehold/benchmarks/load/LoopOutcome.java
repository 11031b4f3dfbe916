package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.measure.WaitHistogram;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link ClosedLoop}.
 *
 * @param perCaller how many locks each caller acquired within the window
 * @param acquisitions how many locks were acquired, including those after the window
 * @param waits how long each call waited for its lock
 * @param gaps the times between the end of a section and the start of the next one
 * @param used CPU and memory of the process
 * @param errors how many calls failed
 * @param firstError one of the errors
 */
public record LoopOutcome(
        int[] perCaller,
        long acquisitions,
        WaitHistogram waits,
        WaitHistogram gaps,
        Usage used,
        int errors,
        @Nullable String firstError)
        implements Serializable {

    static LoopOutcome of(List<Caller> callers, Usage used) {
        LoopOutcome sum = new LoopOutcome(new int[0], 0, new WaitHistogram(), new WaitHistogram(), used, 0, null);
        for (Caller caller : callers) {
            sum = sum.plus(new LoopOutcome(
                    new int[] {caller.inWindow},
                    caller.acquisitions,
                    caller.waits,
                    caller.gaps(),
                    Usage.NONE,
                    caller.errors,
                    caller.firstError));
        }
        return sum;
    }

    /**
     * Adds up the results of several processes.
     *
     * @param outcomes the result of each process, at least one
     * @return their sum
     */
    public static LoopOutcome sum(List<LoopOutcome> outcomes) {
        return outcomes.stream().reduce(LoopOutcome::plus).orElseThrow();
    }

    /** The number of locks that were acquired within the window. */
    public long inWindow() {
        return IntStream.of(perCaller).asLongStream().sum();
    }

    /**
     * The locks of the caller with the most, divided by those of the caller with the fewest; infinite if that caller
     * got none.
     */
    public double luck() {
        int most = IntStream.of(perCaller).max().orElse(0);
        int fewest = IntStream.of(perCaller).min().orElse(0);
        return most == 0 ? 1 : (double) most / fewest;
    }

    private LoopOutcome plus(LoopOutcome other) {
        WaitHistogram allWaits = new WaitHistogram();
        allWaits.add(waits);
        allWaits.add(other.waits);
        WaitHistogram allGaps = new WaitHistogram();
        allGaps.add(gaps);
        allGaps.add(other.gaps);
        return new LoopOutcome(
                IntStream.concat(IntStream.of(perCaller), IntStream.of(other.perCaller))
                        .toArray(),
                acquisitions + other.acquisitions,
                allWaits,
                allGaps,
                used.plus(other.used),
                errors + other.errors,
                firstError == null ? other.firstError : firstError);
    }
}

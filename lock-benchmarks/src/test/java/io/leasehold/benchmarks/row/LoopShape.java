package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.load.Callers;
import io.leasehold.benchmarks.load.Keys;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a row and their keys.
 *
 * @param threads number of callers in each process
 * @param callers the kind of the calling threads
 * @param keys which locks the callers acquire
 * @param section the duration of the section under the one lock; {@code null} if each caller has a lock of its own
 */
public record LoopShape(
        List<Integer> threads,
        Callers callers,
        Keys keys,
        @Nullable Duration section) {

    /** Threads of one process that do not share locks. */
    public static LoopShape apart(int threads, Callers callers, Keys keys) {
        return new LoopShape(List.of(threads), callers, keys, null);
    }

    /** Threads of several processes that compete for the same lock. */
    public static LoopShape together(int processes, int threads, Duration section) {
        return new LoopShape(Collections.nCopies(processes, threads), Callers.PLATFORM, Keys.ONE, section);
    }

    int processes() {
        return threads.size();
    }

    boolean contended() {
        return section != null;
    }
}

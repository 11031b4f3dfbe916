package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.load.Callers;
import io.leasehold.benchmarks.load.Keys;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and for what.
 *
 * @param threads how many callers each process has
 * @param callers what kind of threads they are
 * @param keys which locks they take
 * @param section how long the section under the one lock takes; {@code null} if each caller has a lock of its own
 */
public record LoopShape(
        List<Integer> threads,
        Callers callers,
        Keys keys,
        @Nullable Duration section) {

    /** Threads of one process, each with locks of its own. */
    public static LoopShape apart(int threads, Callers callers, Keys keys) {
        return new LoopShape(List.of(threads), callers, keys, null);
    }

    /** Threads of some processes that all want the same lock. */
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

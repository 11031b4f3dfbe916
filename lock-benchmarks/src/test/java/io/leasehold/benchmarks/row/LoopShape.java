package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.load.Callers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and for what.
 *
 * @param threads how many callers each process has
 * @param callers what kind of threads they are
 * @param section how long the section under the one lock takes; {@code null} if each caller has a lock of its own
 */
public record LoopShape(
        List<Integer> threads, Callers callers, @Nullable Duration section) {

    /** Threads of one process, each with a lock of its own. */
    public static LoopShape apart(int threads, Callers callers) {
        return new LoopShape(List.of(threads), callers, null);
    }

    /** Threads of some processes that all want the same lock. */
    public static LoopShape together(int processes, int threads, Duration section) {
        return new LoopShape(Collections.nCopies(processes, threads), Callers.PLATFORM, section);
    }

    int processes() {
        return threads.size();
    }

    boolean contended() {
        return section != null;
    }
}

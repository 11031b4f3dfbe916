package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import java.util.List;

/**
 * What many keys leave behind.
 *
 * @param locked how many were locked
 * @param perSecond how many in a second
 * @param heap bytes of heap that are still in use, more than before
 * @param keysAtOnce keys in the store right after
 * @param memoryAtOnce bytes of the store right after, more than before
 * @param keysLater keys in the store when it has had time to forget
 * @param memoryLater bytes of the store then, more than before
 */
record KeyFigures(
        int locked, double perSecond, long heap, long keysAtOnce, long memoryAtOnce, long keysLater, long memoryLater) {

    static final List<String> HEADERS = List.of(
            "",
            "locked",
            "locks/s",
            "heap left, bytes per key",
            "keys in the store: at once / later",
            "memory of the store, MB: at once / later",
            "store bytes per key: at once / later");

    private static final double MEGA = 1e6;

    List<String> line(String title) {
        return List.of(
                title,
                "%,d".formatted(locked),
                Numbers.of(perSecond),
                Numbers.of((double) heap / locked),
                "%,d / %,d".formatted(keysAtOnce, keysLater),
                Numbers.of(memoryAtOnce / MEGA) + " / " + Numbers.of(memoryLater / MEGA),
                Numbers.of((double) memoryAtOnce / locked) + " / " + Numbers.of((double) memoryLater / locked));
    }

    void writeTo(Report report, String row, String contestant) {
        report.raw(row, contestant, 1, "locked", locked);
        report.raw(row, contestant, 1, "per_second", perSecond);
        report.raw(row, contestant, 1, "heap_bytes_left", heap);
        report.raw(row, contestant, 1, "keys_at_once", keysAtOnce);
        report.raw(row, contestant, 1, "store_bytes_at_once", memoryAtOnce);
        report.raw(row, contestant, 1, "keys_later", keysLater);
        report.raw(row, contestant, 1, "store_bytes_later", memoryLater);
    }
}

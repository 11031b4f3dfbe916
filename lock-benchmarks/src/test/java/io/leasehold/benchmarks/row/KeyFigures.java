package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import java.util.List;

/**
 * The resources that remain in use after many keys were locked once.
 *
 * @param locked number of locked keys
 * @param perSecond locks per second
 * @param heap bytes of heap that are still in use, beyond the usage before
 * @param keysAtOnce keys in the store immediately afterwards
 * @param memoryAtOnce bytes of the store immediately afterwards, beyond the usage before
 * @param keysLater keys in the store after it had time to expire keys
 * @param memoryLater bytes of the store then, beyond the usage before
 */
record KeyFigures(
        int locked, double perSecond, long heap, long keysAtOnce, long memoryAtOnce, long keysLater, long memoryLater) {

    static final List<String> HEADERS = List.of(
            "",
            "locked",
            "locks/s",
            "heap left, bytes per key",
            "keys in the store: immediately / later",
            "memory of the store, MB: immediately / later",
            "store bytes per key: immediately / later");

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

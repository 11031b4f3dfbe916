package io.leasehold.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.stream.Stream;

/** The machine of the measurement. */
public final class Machine {

    private Machine() {}

    /** One line for the head of the tables. */
    public static String description() {
        Runtime runtime = Runtime.getRuntime();
        return "%s, %d cores (%s), %s %s, Java %s (%s)"
                .formatted(
                        LocalDate.now(),
                        runtime.availableProcessors(),
                        processor(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        Runtime.version(),
                        System.getProperty("java.vm.name"));
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }
}

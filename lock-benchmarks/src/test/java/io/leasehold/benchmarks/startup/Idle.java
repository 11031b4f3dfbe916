package io.leasehold.benchmarks.startup;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cost of a running application that nobody calls.
 *
 * @param phase what the application has done before
 * @param processor the processor time that the process used, in nanoseconds
 * @param threads the names of its threads, with {@code #} for numbers; those of the JVM itself are not included
 */
public record Idle(String phase, long processor, List<String> threads) {

    /** The phase before the application has done its work once. */
    public static final String UNUSED = "before the first lock";

    /** The phase after the work. */
    public static final String USED = "after one lock";

    private static final String BEGIN = "idle from now: ";

    private static final String END = "idle: ";

    /** How long the compilers and the initialization of clients may take after the work. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    static void measure(Duration window, Runnable work) {
        try {
            measure(UNUSED, window);
            work.run();
            measure(USED, window);
        } catch (InterruptedException ex) {
            throw new IllegalStateException("the measurement was interrupted", ex);
        }
    }

    private static void measure(String phase, Duration window) throws InterruptedException {
        Thread.sleep(SETTLING.toMillis());
        System.out.println(BEGIN + phase);
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getProcessCpuTime();
        Thread.sleep(window.toMillis());
        long used = system.getProcessCpuTime() - before;
        System.out.println(END + phase + "|" + used + "|" + String.join("|", liveThreads()));
    }

    private static List<String> liveThreads() {
        Thread[] all = new Thread[Thread.activeCount() * 2 + 100];
        int count = Thread.enumerate(all);
        return Stream.of(all)
                .limit(count)
                .map(thread -> thread.getName().replaceAll("\\d+", "#"))
                .sorted()
                .toList();
    }

    /** Returns the phase that begins with this line of output, or an empty string. */
    public static String begunBy(String line) {
        return line.startsWith(BEGIN) ? line.substring(BEGIN.length()) : "";
    }

    /** Reads the results from the output of a process. */
    public static List<Idle> of(List<String> output) {
        return output.stream()
                .filter(line -> line.startsWith(END))
                .map(line -> List.of(line.substring(END.length()).split("\\|")))
                .map(parts -> new Idle(parts.get(0), Long.parseLong(parts.get(1)), parts.subList(2, parts.size())))
                .toList();
    }
}

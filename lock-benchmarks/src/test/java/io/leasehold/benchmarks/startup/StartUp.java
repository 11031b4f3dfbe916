package io.leasehold.benchmarks.startup;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The cost of a start, from the start of the JVM until the application is ready.
 *
 * @param processor the processor time of the process, in nanoseconds
 * @param elapsed the time that passed, in nanoseconds
 */
public record StartUp(long processor, long elapsed) {

    private static final String PREFIX = "start-up: ";

    /**
     * Starts an application and prints the cost of its start. If the arguments ask for it, keeps the application running
     * and prints what it costs while it is idle.
     *
     * @param work what the application is for
     */
    static void measure(Class<?> application, String[] arguments, Consumer<ApplicationContext> work) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .run(arguments)) {
            var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long processor = system.getProcessCpuTime();
            long elapsed = Duration.ofMillis(
                            ManagementFactory.getRuntimeMXBean().getUptime())
                    .toNanos();
            if (!context.isActive()) {
                throw new IllegalStateException("the application did not start");
            }
            System.out.println(PREFIX + processor + " " + elapsed);
            String idle = context.getEnvironment().getProperty("idle");
            if (idle != null) {
                Idle.measure(Duration.parse(idle), () -> work.accept(context));
            }
        }
    }

    /**
     * Reads the result from the output of a process.
     *
     * @param output its lines
     * @return the cost of its start
     */
    public static StartUp of(List<String> output) {
        String[] figures = output.stream()
                .filter(line -> line.startsWith(PREFIX))
                .map(line -> line.substring(PREFIX.length()).split(" "))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the application did not start: " + output));
        return new StartUp(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
    }
}

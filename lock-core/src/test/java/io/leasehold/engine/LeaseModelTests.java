package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Model checking of a held lock, of its queue, and of the watchdog, with Lincheck. Lincheck rewrites the classes that
 * it checks, so it runs in a separate process. It does not support the classes of JDK 25, and it takes minutes.
 */
@Tag("jdk17")
@Tag("soak")
class LeaseModelTests {

    private static final String SCENARIOS = "10";

    private static final String ORDERS = "100";

    private static final List<String> OPENED = List.of(
            "java.io",
            "java.lang",
            "java.lang.invoke",
            "java.lang.module",
            "java.lang.ref",
            "java.lang.reflect",
            "java.math",
            "java.net",
            "java.nio",
            "java.nio.charset",
            "java.nio.file",
            "java.security",
            "java.security.cert",
            "java.text",
            "java.time",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.function",
            "java.util.jar",
            "java.util.regex",
            "java.util.stream",
            "java.util.zip",
            "jdk.internal.access",
            "jdk.internal.loader",
            "jdk.internal.misc",
            "jdk.internal.module",
            "jdk.internal.ref",
            "jdk.internal.reflect",
            "jdk.internal.util",
            "sun.invoke.util",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.nio.fs",
            "sun.reflect.generics.reflectiveObjects",
            "sun.security.action",
            "sun.security.jca",
            "sun.security.provider",
            "sun.security.util",
            "sun.util.calendar",
            "sun.util.locale");

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void noOrderShowsAViolation() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        OPENED.forEach(opened -> command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED")));
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), ModelCheckProcess.class.getName(), SCENARIOS, ORDERS));
        try (ServerProcess process = ServerProcess.start(directory, directory.resolve("log"), command)) {
            await().atMost(Duration.ofMinutes(29)).until(() -> !process.isAlive());
            assertThat(process.output())
                    .contains(
                            "no violation in HoldModel",
                            "no violation in LocalQueueModel",
                            "no violation in WatchdogModel");
            process.output()
                    .lines()
                    .filter(line -> line.startsWith("no violation"))
                    .forEach(System.out::println);
        }
    }
}

package io.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The start of an application with all auto-configuration loads no class of what it does not use. The JVM counts them,
 * in a process of its own.
 */
class UnusedAdaptersTests {

    private static final Pattern OF_AN_ADAPTER =
            Pattern.compile(" (io\\.leasehold\\.(?:adapter|autoconfigure\\.adapter|autoconfigure\\.web)\\.\\S+)");

    @TempDir
    private Path directory;

    @Test
    void anApplicationWithoutAdaptersLoadsNoneOfTheirClasses() throws Exception {
        assertThat(loaded()).isEmpty();
    }

    @Test
    void anApplicationLoadsTheAdapterThatItNames() throws Exception {
        assertThat(loaded("lock.lockers.jobs.ttl=30s", "lock.shedlock.locker=jobs"))
                .contains("io.leasehold.adapter.shedlock.LockerLockProvider")
                .noneMatch(name -> name.startsWith("io.leasehold.adapter.integration"))
                .noneMatch(name -> name.startsWith("io.leasehold.adapter.cache"));
    }

    private List<String> loaded(String... properties) throws IOException, InterruptedException {
        Path classes = directory.resolve("classes.log");
        Path log = directory.resolve("application.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                AnnotatedCall.class.getName(),
                "lock.backend=memory",
                "spring.datasource.url=jdbc:h2:mem:unused"));
        command.addAll(List.of(properties));
        Process application = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(application.waitFor()).as(Files.readString(log)).isZero();
        try (Stream<String> lines = Files.lines(classes)) {
            return lines.flatMap(line -> OF_AN_ADAPTER.matcher(line).results())
                    .map(match -> match.group(1))
                    .toList();
        }
    }
}

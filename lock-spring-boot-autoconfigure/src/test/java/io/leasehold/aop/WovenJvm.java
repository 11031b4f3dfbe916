package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspectj.weaver.loadtime.Agent;

/** A JVM with AspectJ's agent. */
final class WovenJvm {

    private WovenJvm() {}

    /**
     * Runs a program to its end.
     *
     * @param resources the folder of the test resources that has META-INF/aop.xml
     * @return the lines of its output
     */
    static List<String> run(Class<?> main, String resources) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-javaagent:" + jarOf(Agent.class),
                        "-cp",
                        jarOf(main)
                                + resources
                                + File.pathSeparator
                                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        main.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}

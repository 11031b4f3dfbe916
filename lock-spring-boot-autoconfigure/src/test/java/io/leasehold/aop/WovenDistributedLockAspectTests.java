package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspectj.weaver.loadtime.Agent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The door for woven classes, in a JVM of its own with the real agent. */
class WovenDistributedLockAspectTests {

    @Test
    @Timeout(60)
    void wovenMethodsAreLockedOnceAlsoWhenTheirOwnObjectCallsThem() throws Exception {
        assertThat(outputOf(WovenStory.class))
                .contains(
                        "early=true",
                        "self=[own-a]",
                        "joined=[a]",
                        "fence=true",
                        "handle=[h]",
                        "meta=[meta-m]",
                        "class=[c]",
                        "object=[]",
                        "held=0");
    }

    private static List<String> outputOf(Class<?> main) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + jarOf(Agent.class),
                        "-cp",
                        jarOf(main) + "woven" + File.pathSeparator
                                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        main.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
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

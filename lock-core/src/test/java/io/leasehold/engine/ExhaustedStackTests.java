package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Acquisitions and releases at the end of a thread's stack, as in a recursion without an end, leave usable keys. The attempts run
 * in a process of their own: a class whose initialization fails stays unusable. It interprets, so that the stack ends at
 * each method in turn.
 */
class ExhaustedStackTests {

    @TempDir
    private Path directory;

    @Test
    @Timeout(180)
    void keysStayUsable() {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint",
                "-cp",
                System.getProperty("java.class.path"),
                ExhaustedStackProcess.class.getName());
        try (ServerProcess process = ServerProcess.start(directory, directory.resolve("log"), command)) {
            await().atMost(Duration.ofSeconds(150)).until(() -> !process.isAlive());
            assertThat(process.output()).contains("all keys are usable: true").contains("callers without an end: 0");
        }
    }
}

package io.leasehold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server ends with the JVM that started it, for whatever reason the JVM ends. */
class OrphanGuardTests {

    @TempDir
    private Path directory;

    private Process jvm;

    private ProcessHandle server;

    @BeforeEach
    void startAJvmWithAServer() throws IOException {
        jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneServer.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String pid = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8)).readLine();
        server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        assertThat(server.isAlive()).isTrue();
    }

    @AfterEach
    void endBoth() {
        jvm.destroyForcibly();
        server.destroyForcibly();
    }

    @Test
    void aServerEndsWhenItsJvmIsKilled() {
        jvm.destroyForcibly();

        await().until(() -> !server.isAlive());
    }

    @Test
    void aServerEndsWhenItsJvmExits() throws IOException {
        jvm.getOutputStream().close();

        await().until(() -> !jvm.isAlive());
        assertThat(jvm.exitValue()).isZero();
        await().until(() -> !server.isAlive());
    }

    /** Starts a server, prints its pid, and exits when its input ends. */
    static final class OneServer {

        private OneServer() {}

        public static void main(String[] args) throws IOException {
            Path directory = Path.of(args[0]);
            ServerProcess server = ServerProcess.start(directory, directory.resolve("log"), List.of("sleep", "600"));
            System.out.println(server.pid());
            System.exit(System.in.read() < 0 ? 0 : 1);
        }
    }
}

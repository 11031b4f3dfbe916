package io.leasehold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server ends with the JVM that started it, and its files go, for whatever reason the JVM ends. */
class OrphanGuardTests {

    @TempDir
    private Path directory;

    private Process jvm;

    private ProcessHandle server;

    private Path files;

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
        BufferedReader output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        server = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
        files = Path.of(output.readLine());
        assertThat(files).isNotEmptyDirectory();
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
        await().untilAsserted(() -> assertThat(files).doesNotExist());
    }

    @Test
    void aServerEndsWhenItsJvmExits() throws IOException {
        jvm.getOutputStream().close();

        await().until(() -> !jvm.isAlive());
        assertThat(jvm.exitValue()).isZero();
        await().until(() -> !server.isAlive());
        await().untilAsserted(() -> assertThat(files).doesNotExist());
    }

    /** Starts a server, prints its pid and the directory of its files, and exits when its input ends. */
    static final class OneServer {

        private OneServer() {}

        public static void main(String[] args) throws IOException {
            Path directory = Path.of(args[0]);
            ServerProcess server = ServerProcess.start(directory, directory.resolve("log"), List.of("sleep", "600"));
            Path files = new TemporaryDirectory("with blanks ").path();
            Files.createFile(files.resolve("data"));
            System.out.println(server.pid());
            System.out.println(files);
            System.exit(System.in.read() < 0 ? 0 : 1);
        }
    }
}

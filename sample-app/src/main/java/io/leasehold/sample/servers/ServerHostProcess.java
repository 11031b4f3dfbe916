package io.leasehold.sample.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The server host, as the instance that starts it sees it. It outlives that instance, and what ends its terminal. */
record ServerHostProcess(Process process, Path log) {

    /** Ctrl-C goes to every process of a terminal's foreground group: leave the group where there is a tool for it. */
    private static final String DETACHED =
            "trap '' INT HUP; if command -v setsid > /dev/null; then exec setsid \"$@\"; else exec \"$@\"; fi";

    static ServerHostProcess start(ServersDirectory directory, Duration linger) throws IOException {
        Path log = directory.path().resolve("host.log");
        Path run = directory.newRun();
        List<String> command = List.of(
                "/bin/sh",
                "-c",
                DETACHED,
                "server-host",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-Dh2.bindAddress=127.0.0.1",
                "-Djava.io.tmpdir=" + run,
                "-cp",
                System.getProperty("java.class.path"),
                ServerHost.class.getName(),
                directory.path().toString(),
                run.toString(),
                linger.toString());
        Process process = new ProcessBuilder(command)
                .directory(directory.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        return new ServerHostProcess(process, log);
    }

    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the server host ended with " + process.exitValue() + ": " + output());
        }
    }

    String output() throws IOException {
        return Files.readString(log);
    }
}

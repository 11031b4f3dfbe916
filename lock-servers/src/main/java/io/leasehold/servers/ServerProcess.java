package io.leasehold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * A server that this JVM has started as a separate process. The process is ended by its pid when it is closed, and
 * otherwise when this JVM ends for any reason.
 */
public final class ServerProcess implements AutoCloseable {

    private final Process process;

    private final Path log;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a server in a working directory. Its output is appended to the log. */
    public static ServerProcess start(Path directory, Path log, List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            OrphanGuard.watch(process.toHandle());
            return new ServerProcess(process, log);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The server's process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process exists, paused or not. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the server is ready or has ended. Returns whether it is ready. */
    public boolean awaitReady(BooleanSupplier ready) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(() -> ready.getAsBoolean() || !isAlive());
        return isAlive();
    }

    /** The output of the server so far. */
    public String output() {
        try {
            return Files.readString(log);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Whether a line of the output begins with a text. Lines of the log may contain the same words. */
    public boolean hasPrinted(String beginning) {
        return output().lines().anyMatch(line -> line.startsWith(beginning));
    }

    /** Suspends the server (SIGSTOP). Its connections stay open, and it does not answer. */
    public void pause() {
        signal("STOP");
    }

    /** Resumes a suspended server (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Kills the server, which cannot save anything (SIGKILL), and waits for its end. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Terminates the server (SIGTERM) and waits for its end. */
    public void terminate() {
        process.destroy();
        awaitEnd();
    }

    /** Kills the server if it is still running. */
    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("SIG" + name + " did not reach process " + pid());
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + name, ex);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

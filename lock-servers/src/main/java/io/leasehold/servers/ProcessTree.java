package io.leasehold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A server with a process for each client. Pausing and killing begin with a signal to the parent, so that it forks no
 * child that would miss the signal.
 *
 * @param parent the server's own process
 */
public record ProcessTree(ProcessHandle parent) {

    private static final long LOOK_MILLIS = 100;

    private static final int LOOKS = 200;

    /** Suspends all processes (SIGSTOP). */
    public void pause() {
        signal("STOP", List.of(parent));
        signal("STOP", children());
    }

    /** Resumes all processes (SIGCONT). */
    public void resume() {
        signal("CONT", children());
        signal("CONT", List.of(parent));
    }

    /** Kills all processes with SIGKILL and waits until they have ended. */
    public void kill() {
        signal("STOP", List.of(parent));
        List<ProcessHandle> children = children();
        signal("KILL", List.of(parent));
        signal("KILL", children);
        Stream.concat(Stream.of(parent), children.stream()).forEach(ProcessTree::awaitEnd);
    }

    private List<ProcessHandle> children() {
        return parent.descendants().toList();
    }

    /** A process whose parent has ended stays as a zombie until the first process of the machine collects it. */
    private static void awaitEnd(ProcessHandle process) {
        for (int i = 0; !isZombie(process); i++) {
            try {
                process.onExit().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException | TimeoutException ex) {
                if (i == LOOKS) {
                    throw new IllegalStateException("process " + process.pid() + " did not end", ex);
                }
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static boolean isZombie(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/stat")).contains(") Z ");
        } catch (IOException ex) {
            // it has ended, or the system has no such files
            return false;
        }
    }

    /** Signals processes. The command fails if a child has ended in the meantime; the failure is ignored. */
    private static void signal(String name, List<ProcessHandle> processes) {
        if (processes.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + name, ex);
        }
    }
}

package io.leasehold.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Kills the processes that this JVM has started and that are still running when it ends, even if the JVM is killed. A
 * shell, one for each JVM, reads their pids from a pipe. The system closes the pipe when the JVM ends for any reason.
 * The shell then kills the remaining processes and ends.
 */
public final class OrphanGuard {

    /**
     * Ctrl-C goes to every process of the terminal's foreground group. The shell ignores it, so that it outlives the
     * JVM.
     */
    private static final String SCRIPT = String.join(
            "\n",
            "trap '' INT HUP TERM",
            "alive=",
            "while read -r event pid; do",
            "  rest=",
            "  for other in $alive; do [ \"$other\" = \"$pid\" ] || rest=\"$rest $other\"; done",
            "  [ \"$event\" = started ] && rest=\"$rest $pid\"",
            "  alive=$rest",
            "done",
            "for pid in $alive; do kill -9 \"$pid\"; done");

    private static final OutputStream EVENTS = start();

    private OrphanGuard() {}

    /** Kills a process of this JVM when this JVM ends, unless the process has ended before. */
    public static void watch(ProcessHandle process) {
        try {
            tell("started " + process.pid());
        } catch (IOException ex) {
            process.destroyForcibly();
            throw new UncheckedIOException("process " + process.pid() + " would outlive this JVM", ex);
        }
        process.onExit().thenRun(() -> forget(process.pid()));
    }

    private static void forget(long pid) {
        try {
            tell("ended " + pid);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static synchronized void tell(String event) throws IOException {
        EVENTS.write((event + "\n").getBytes(StandardCharsets.UTF_8));
        EVENTS.flush();
    }

    private static OutputStream start() {
        try {
            return new ProcessBuilder("/bin/sh", "-c", SCRIPT, "orphan-guard")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}

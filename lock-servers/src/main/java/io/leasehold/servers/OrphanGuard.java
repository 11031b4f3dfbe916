package io.leasehold.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Kills the processes that this JVM has started and that are still running when it ends, and then removes their
 * directories, even if the JVM is killed. A shell, one for each JVM, reads their pids and paths from a pipe. The system
 * closes the pipe when the JVM ends for any reason. The shell then ends the remaining processes, removes the remaining
 * directories, and ends.
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
            "while read -r event subject; do",
            "  if [ \"$event\" = directory ]; then",
            "    set -- \"$@\" \"$subject\"",
            "    continue",
            "  fi",
            "  rest=",
            "  for other in $alive; do [ \"$other\" = \"$subject\" ] || rest=\"$rest $other\"; done",
            "  [ \"$event\" = started ] && rest=\"$rest $subject\"",
            "  alive=$rest",
            "done",
            "for pid in $alive; do kill -9 \"$pid\"; done",
            // a child of a killed server may still write
            "for second in 1 2 3 4 5 6 7 8 9 10; do rm -rf \"$@\" && break; sleep 1; done");

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

    /** Removes a directory with its content after this JVM has ended, if it still exists. */
    static void watch(Path directory) {
        try {
            tell("directory " + directory.toAbsolutePath());
        } catch (IOException ex) {
            throw new UncheckedIOException(directory + " would outlive this JVM", ex);
        }
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

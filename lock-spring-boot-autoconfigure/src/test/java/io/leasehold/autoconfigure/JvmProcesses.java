package io.leasehold.autoconfigure;

import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.TemporaryDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Applications of the tests' class path, each in a JVM of its own. An application prints a line for each event. */
public final class JvmProcesses implements AutoCloseable {

    private final TemporaryDirectory directory = new TemporaryDirectory("processes-");

    private final List<ServerProcess> processes = new ArrayList<>();

    /**
     * Starts an application.
     *
     * @param name the name of the file of its output
     * @param main its main class
     * @param arguments the arguments of its main method
     * @return the running application
     */
    public ServerProcess start(String name, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(arguments);
        Path log = directory.path().resolve(name + ".log");
        ServerProcess process = ServerProcess.start(directory.path(), log, command);
        processes.add(process);
        return process;
    }

    /**
     * Returns the first line of an application that reports an event.
     *
     * @throws IllegalStateException if the application has ended without it
     */
    public static Optional<String> line(ServerProcess process, Predicate<String> event) {
        boolean alive = process.isAlive();
        String output = process.output();
        Optional<String> found = output.lines().filter(event).findFirst();
        if (found.isEmpty() && !alive) {
            throw new IllegalStateException("a process has ended: " + output);
        }
        return found;
    }

    /** Kills the applications that are still running. */
    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
        directory.delete();
    }
}

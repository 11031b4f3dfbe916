package io.leasehold.servers.database;

import io.leasehold.servers.FreePort;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.TemporaryDirectory;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server of the MySQL family on a free port of the loopback interface, with an empty data directory of its own. It stops
 * when it is closed, and otherwise when this JVM exits.
 */
abstract class MySqlFamilyServer implements DatabaseServer {

    private static final int STARTS = 3;

    final TemporaryDirectory directory;

    private final String program;

    private int port = FreePort.find();

    private ServerProcess process;

    MySqlFamilyServer(String program) {
        this.program = program;
        this.directory = new TemporaryDirectory(program + "-");
    }

    /** The program and the options for all of its runs. */
    abstract List<String> command();

    /** Further options of the server. */
    abstract List<String> serverOptions();

    /** Starts the server on its data. Returns when it answers. */
    final void boot() {
        process = launch();
        for (int i = 1; i < STARTS && !process.awaitReady(this::answers) && couldNotBind(); i++) {
            port = FreePort.find();
            process = launch();
        }
        requireReady();
    }

    final Path data() {
        return directory.path().resolve("data");
    }

    final Path log() {
        return directory.path().resolve("log");
    }

    /** The command for a run of the program. */
    final List<String> command(List<String> further) {
        List<String> command = new ArrayList<>(command());
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(further);
        return command;
    }

    @Override
    public final int port() {
        return port;
    }

    @Override
    public final void pause() {
        process.pause();
    }

    @Override
    public final void resume() {
        process.resume();
    }

    @Override
    public final void kill() {
        process.kill();
    }

    @Override
    public final void restart() {
        process = launch();
        requireReady();
    }

    @Override
    public final void close() {
        process.close();
        directory.delete();
    }

    private ServerProcess launch() {
        List<String> options = new ArrayList<>(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + directory.path().resolve("socket"),
                "--pid-file=" + pidFile(),
                "--skip-name-resolve",
                "--performance-schema=OFF",
                "--max-connections=300"));
        options.addAll(serverOptions());
        return ServerProcess.start(directory.path(), log(), command(options));
    }

    private Path pidFile() {
        return directory.path().resolve("pid");
    }

    private void requireReady() {
        if (!process.awaitReady(this::answers)) {
            throw new IllegalStateException(program + " ended immediately:\n" + process.output());
        }
    }

    private boolean couldNotBind() {
        return process.output().contains("Can't start server: Bind on TCP/IP port");
    }

    /** Whether our own process answers, and not another server that has taken the port first. */
    private boolean answers() {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.getInputStream().read() >= 0
                    && Files.readString(pidFile()).strip().equals("" + process.pid());
        } catch (IOException notYet) {
            return false;
        }
    }
}

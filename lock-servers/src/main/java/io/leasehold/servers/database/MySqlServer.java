package io.leasehold.servers.database;

import io.leasehold.servers.FreePort;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * MySQL's own server on a free port of the loopback interface, with an empty data directory of its own and a database
 * {@code locks}. Its program is that of the system property {@code leasehold.mysql.program}, because neither Maven nor a
 * release of Debian has one. It stops when it is closed, and otherwise when this JVM exits.
 */
public final class MySqlServer implements DatabaseServer {

    private static final int STARTS = 3;

    /** The tests connect over TCP, and MySQL knows its first user only on its socket. */
    private static final List<String> USERS_AND_DATABASES = List.of(
            "CREATE USER 'root'@'127.0.0.1' IDENTIFIED BY '';",
            "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
            "CREATE DATABASE locks;");

    private final TemporaryDirectory directory = new TemporaryDirectory("mysql-");

    private int port = FreePort.find();

    private ServerProcess process;

    private MySqlServer() {
        initialize();
        process = launch();
        for (int i = 1; i < STARTS && !process.awaitReady(this::answers) && couldNotBind(); i++) {
            port = FreePort.find();
            process = launch();
        }
        requireReady();
    }

    /** Starts a server. It is ready to answer. */
    public static MySqlServer start() {
        return new MySqlServer();
    }

    /** Returns a server that all tests of this JVM share. Tests must neither damage nor close it. */
    public static MySqlServer shared() {
        return Shared.SERVER;
    }

    @Override
    public int port() {
        return port;
    }

    /** The address for MySQL's driver. */
    public String url() {
        return url(port);
    }

    @Override
    public String url(int proxyPort) {
        return "jdbc:mysql://127.0.0.1:" + proxyPort + "/locks?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        process = launch();
        requireReady();
    }

    @Override
    public void close() {
        process.close();
        directory.delete();
    }

    private void initialize() {
        Path script = directory.path().resolve("users.sql");
        try {
            Files.write(script, USERS_AND_DATABASES);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        try (ServerProcess initialization = run("--initialize-insecure", "--init-file=" + script)) {
            initialization.awaitReady(() -> false);
        }
    }

    private ServerProcess launch() {
        return run(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + directory.path().resolve("socket"),
                "--pid-file=" + pidFile(),
                "--mysqlx=OFF",
                "--skip-name-resolve",
                "--max-connections=300");
    }

    private ServerProcess run(String... options) {
        List<String> command = new ArrayList<>(List.of(
                Objects.requireNonNull(
                        System.getProperty("leasehold.mysql.program"),
                        "set leasehold.mysql.program, see CONTRIBUTING.md"),
                "--no-defaults",
                "--datadir=" + directory.path().resolve("data"),
                "--secure-file-priv=NULL",
                "--performance-schema=OFF",
                "--innodb-redo-log-capacity=32M",
                "--innodb-buffer-pool-size=32M"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(List.of(options));
        return ServerProcess.start(directory.path(), directory.path().resolve("mysql.log"), command);
    }

    private Path pidFile() {
        return directory.path().resolve("pid");
    }

    private void requireReady() {
        if (!process.awaitReady(this::answers)) {
            throw new IllegalStateException("mysqld ended immediately:\n" + process.output());
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

    /** Starts the server at its first use. */
    private static final class Shared {

        static final MySqlServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "end-shared-mysql"));
        }
    }
}

package io.leasehold.servers.database;

import io.leasehold.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * MySQL's own server with a database {@code locks}. Its program is that of the system property {@code
 * leasehold.mysql.program}, because neither Maven nor a release of Debian has one.
 */
public final class MySqlServer extends MySqlFamilyServer {

    private static final @Nullable String PROGRAM = System.getProperty("leasehold.mysql.program");

    /** The tests connect over TCP, and MySQL knows its first user only on its socket. */
    private static final List<String> USERS_AND_DATABASES = List.of(
            "CREATE USER 'root'@'127.0.0.1' IDENTIFIED BY '';",
            "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
            "CREATE DATABASE locks;");

    private MySqlServer() {
        super("mysqld");
        initialize();
        boot();
    }

    /** Whether there is a program. */
    public static boolean isThere() {
        return PROGRAM != null;
    }

    /** Starts a server. It is ready to answer. */
    public static MySqlServer start() {
        return new MySqlServer();
    }

    /** Returns a server that all tests of this JVM share. Tests must neither damage nor close it. */
    public static MySqlServer shared() {
        return Shared.SERVER;
    }

    /** The address for MySQL's driver. */
    public String url() {
        return url(port());
    }

    @Override
    public String url(int proxyPort) {
        return "jdbc:mysql://127.0.0.1:" + proxyPort + "/locks?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    @Override
    List<String> command() {
        return List.of(
                Objects.requireNonNull(PROGRAM, "set leasehold.mysql.program, see CONTRIBUTING.md"),
                "--no-defaults",
                "--datadir=" + data(),
                "--secure-file-priv=NULL",
                "--innodb-redo-log-capacity=32M",
                "--innodb-buffer-pool-size=32M");
    }

    @Override
    List<String> serverOptions() {
        return List.of("--mysqlx=OFF");
    }

    private void initialize() {
        Path script = directory.path().resolve("users.sql");
        try {
            Files.write(script, USERS_AND_DATABASES);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        List<String> command = command(List.of("--initialize-insecure", "--init-file=" + script));
        try (ServerProcess initialization = ServerProcess.start(directory.path(), log(), command)) {
            initialization.awaitReady(() -> false);
        }
    }

    /** Starts the server at its first use. */
    private static final class Shared {

        static final MySqlServer SERVER = start();
    }
}

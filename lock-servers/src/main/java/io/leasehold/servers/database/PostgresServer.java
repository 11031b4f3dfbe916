package io.leasehold.servers.database;

import io.leasehold.servers.FreePort;
import io.leasehold.servers.OrphanGuard;
import io.leasehold.servers.ProcessTree;
import io.leasehold.servers.TemporaryDirectory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A real PostgreSQL on a free port of the loopback interface, with an empty data directory of its own. For the root
 * user it runs in a user namespace, because PostgreSQL refuses to run as root. The library unpacks its binaries into
 * the temporary directory, under their checksum, while it has a lock on a file there; it marks what is complete.
 */
public final class PostgresServer implements DatabaseServer {

    private static final int STARTS = 3;

    private final TemporaryDirectory directory;

    private final Map<String, String> settings;

    private EmbeddedPostgres server;

    private PostgresServer(TemporaryDirectory directory, Map<String, String> settings) {
        this.directory = directory;
        this.settings = settings;
        this.server = launchAnywhere(directory, settings);
    }

    /** Starts a server with settings of postgresql.conf. It is ready to answer. */
    public static PostgresServer start(Map<String, String> settings) {
        return new PostgresServer(new TemporaryDirectory("postgres-"), settings);
    }

    /** Starts a server as a standby of a primary that does not exist. It is read-only, and ready to answer. */
    public static PostgresServer startStandby() {
        TemporaryDirectory directory = new TemporaryDirectory("postgres-");
        try {
            launchAnywhere(directory, Map.of()).close();
            Files.createFile(directory.path().resolve("standby.signal"));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return new PostgresServer(directory, Map.of());
    }

    /**
     * Starts a server as a standby of a primary, which is restarted, so that its data can be copied. The standby is
     * read-only, and ready to answer.
     */
    public static PostgresServer startStandbyOf(PostgresServer primary) {
        TemporaryDirectory directory = new TemporaryDirectory("postgres-");
        primary.stop();
        primary.directory.copyTo(directory);
        primary.restart();
        try {
            Files.createFile(directory.path().resolve("standby.signal"));
            Files.writeString(
                    directory.path().resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=" + primary.port() + " user=postgres'");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return new PostgresServer(directory, Map.of());
    }

    /** Makes a standby a primary. Returns when it accepts writes. */
    public void promote() {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_promote()");
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Starts on another port if another process has taken the first one. */
    private static EmbeddedPostgres launchAnywhere(TemporaryDirectory directory, Map<String, String> settings) {
        for (int i = 1; ; i++) {
            int port = FreePort.find();
            try {
                return launch(directory, port, settings);
            } catch (RuntimeException ex) {
                if (i == STARTS || FreePort.isFree(port)) {
                    throw ex;
                }
            }
        }
    }

    private static EmbeddedPostgres launch(TemporaryDirectory directory, int port, Map<String, String> settings) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(directory.path())
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setPort(port);
        settings.forEach(builder::setServerConfig);
        try {
            EmbeddedPostgres server = builder.start();
            OrphanGuard.watch(server.getProcess().toHandle());
            return server;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns a server that all tests of this JVM share. Tests must neither damage nor close it. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** The port on which the server listens. */
    @Override
    public int port() {
        return server.getPort();
    }

    /** The address for drivers, for the superuser. */
    public String url() {
        return url(port());
    }

    /**
     * The address for drivers that connect through a proxy.
     *
     * @param proxyPort the port of the proxy
     */
    @Override
    public String url(int proxyPort) {
        return "jdbc:postgresql://127.0.0.1:" + proxyPort + "/postgres?user=postgres";
    }

    @Override
    public void pause() {
        tree().pause();
    }

    @Override
    public void resume() {
        tree().resume();
    }

    @Override
    public void kill() {
        tree().kill();
        stop();
    }

    @Override
    public void restart() {
        server = launch(directory, server.getPort(), settings);
    }

    private ProcessTree tree() {
        return new ProcessTree(server.getProcess().toHandle());
    }

    /** Stops the server and removes its data. */
    @Override
    public void close() {
        stop();
        directory.delete();
    }

    private void stop() {
        try {
            server.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Starts the server at its first use. The server ends with this JVM. */
    private static final class Shared {

        static final PostgresServer SERVER = start(Map.of());
    }
}

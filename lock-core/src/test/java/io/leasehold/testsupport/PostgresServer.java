package io.leasehold.testsupport;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/**
 * A real PostgreSQL on a free port of the loopback interface, with an empty data directory of its own. As root it runs
 * in a user namespace, since it refuses to run as root.
 */
public final class PostgresServer implements AutoCloseable {

    private final EmbeddedPostgres server;

    private PostgresServer(Map<String, String> settings) {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60));
            settings.forEach(builder::setServerConfig);
            this.server = builder.start();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Starts a server.
     *
     * @param settings of postgresql.conf
     * @return the server, ready to answer
     */
    public static PostgresServer start(Map<String, String> settings) {
        return new PostgresServer(settings);
    }

    /**
     * A server for all tests of this JVM that do it no harm.
     *
     * @return the server, which nobody closes
     */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** Where it listens. */
    public int port() {
        return server.getPort();
    }

    /** The address for drivers, for the superuser. */
    public String url() {
        return url(port());
    }

    /**
     * The address for drivers that are led through a proxy.
     *
     * @param proxyPort where the proxy listens
     */
    public String url(int proxyPort) {
        return "jdbc:postgresql://127.0.0.1:" + proxyPort + "/postgres?user=postgres";
    }

    /** Ends the server and removes its data. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Started by the first test that asks for it; ends with this JVM. */
    private static final class Shared {

        static final PostgresServer SERVER = start(Map.of());
    }
}

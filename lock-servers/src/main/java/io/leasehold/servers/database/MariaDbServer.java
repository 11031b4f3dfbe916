package io.leasehold.servers.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A real MariaDB with a database {@code locks}. */
public final class MariaDbServer extends MySqlFamilyServer {

    private final List<String> settings;

    private MariaDbServer(List<String> settings) {
        super("mariadbd");
        this.settings = settings;
        try {
            Files.createDirectories(data());
            Files.createDirectories(temporary());
            makeSystemTables();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        boot();
    }

    /** Starts a server with further options of the command line, such as {@code "--read-only=1"}. It is ready to answer. */
    public static MariaDbServer start(String... settings) {
        return new MariaDbServer(List.of(settings));
    }

    /** Returns a server that all tests of this JVM share. Tests must neither damage nor close it. */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /** The address for MariaDB's driver. */
    public String url() {
        return url(port());
    }

    /** The address for MariaDB's driver through a proxy. */
    @Override
    public String url(int proxyPort) {
        return "jdbc:mariadb://127.0.0.1:" + proxyPort + "/locks?user=root";
    }

    /** The address for MySQL's driver. */
    public String mysqlUrl() {
        return "jdbc:mysql://127.0.0.1:" + port() + "/locks?user=root&sslMode=DISABLED";
    }

    @Override
    List<String> command() {
        return List.of(
                MariaDbBinary.program().toString(),
                "--no-defaults",
                "--datadir=" + data(),
                // a server that starts removes the temporary tables of all others from a shared directory
                "--tmpdir=" + temporary(),
                "--lc-messages-dir=" + MariaDbBinary.share(),
                "--character-sets-dir=" + MariaDbBinary.share().resolve("charsets"),
                "--innodb-log-file-size=16M",
                "--innodb-buffer-pool-size=32M",
                // with TLS, the server would spend ten seconds on a certificate
                "--skip-ssl");
    }

    @Override
    List<String> serverOptions() {
        return settings;
    }

    private void makeSystemTables() throws IOException {
        Path script = directory.path().resolve("bootstrap.sql");
        List<String> lines = new ArrayList<>(List.of("CREATE DATABASE mysql;", "USE mysql;"));
        for (String part : List.of("mariadb_system_tables.sql", "mariadb_system_tables_data.sql")) {
            try (Stream<String> sql = Files.lines(MariaDbBinary.share().resolve(part))) {
                sql.forEach(lines::add);
            }
        }
        lines.add("CREATE DATABASE locks;");
        Files.write(script, lines);
        Process bootstrap = new ProcessBuilder(command(List.of("--bootstrap")))
                .redirectErrorStream(true)
                .redirectInput(script.toFile())
                .redirectOutput(log().toFile())
                .start();
        try {
            if (bootstrap.waitFor() != 0) {
                throw new IOException("mariadbd --bootstrap failed:\n" + Files.readString(log()));
            }
        } catch (InterruptedException ex) {
            bootstrap.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making a data directory", ex);
        }
    }

    private Path temporary() {
        return directory.path().resolve("tmp");
    }

    /** Starts the server at its first use. */
    private static final class Shared {

        static final MariaDbServer SERVER = start();
    }
}

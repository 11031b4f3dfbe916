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
import java.util.stream.Stream;

/**
 * A real MariaDB on a free port of the loopback interface, with an empty data directory of its own and a database
 * {@code locks}. It stops when it is closed, and otherwise when this JVM exits.
 */
public final class MariaDbServer implements DatabaseServer {

    private final TemporaryDirectory directory = new TemporaryDirectory("mariadb-");

    private static final int STARTS = 3;

    private final List<String> settings;

    private int port;

    private ServerProcess process;

    private MariaDbServer(List<String> settings) {
        Path data = directory.path().resolve("data");
        try {
            Files.createDirectories(data);
            Files.createDirectories(temporary());
            makeSystemTables();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        this.settings = settings;
        this.port = FreePort.find();
        this.process = launch();
        for (int i = 1; i < STARTS && !process.awaitReady(this::answers) && couldNotBind(); i++) {
            port = FreePort.find();
            process = launch();
        }
        requireReady();
    }

    /** Starts a server with further options of the command line, such as {@code "--read-only=1"}. It is ready to answer. */
    public static MariaDbServer start(String... settings) {
        return new MariaDbServer(List.of(settings));
    }

    /** Returns a server that all tests of this JVM share. Tests must neither damage nor close it. */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /** The port on which the server listens. */
    @Override
    public int port() {
        return port;
    }

    /** The address for MariaDB's driver. */
    public String url() {
        return url(port);
    }

    /** The address for MariaDB's driver through a proxy. */
    @Override
    public String url(int proxyPort) {
        return "jdbc:mariadb://127.0.0.1:" + proxyPort + "/locks?user=root";
    }

    /** The address for MySQL's driver. */
    public String mysqlUrl() {
        return "jdbc:mysql://127.0.0.1:" + port + "/locks?user=root&sslMode=DISABLED";
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

    /** Stops the server and removes its data. */
    @Override
    public void close() {
        process.close();
        directory.delete();
    }

    private ServerProcess launch() {
        List<String> command = command();
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + directory.path().resolve("socket"),
                "--pid-file=" + directory.path().resolve("pid"),
                "--skip-name-resolve",
                // with TLS, the server would spend ten seconds on a certificate
                "--skip-ssl",
                "--performance-schema=OFF",
                "--max-connections=300"));
        command.addAll(settings);
        return ServerProcess.start(directory.path(), log(), command);
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                MariaDbBinary.program().toString(),
                "--no-defaults",
                "--datadir=" + directory.path().resolve("data"),
                // a server that starts removes the temporary tables of all others from a shared directory
                "--tmpdir=" + temporary(),
                "--lc-messages-dir=" + MariaDbBinary.share(),
                "--character-sets-dir=" + MariaDbBinary.share().resolve("charsets"),
                "--innodb-log-file-size=16M",
                "--innodb-buffer-pool-size=32M"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        return command;
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
        List<String> command = command();
        command.addAll(List.of("--bootstrap", "--skip-ssl"));
        Process bootstrap = new ProcessBuilder(command)
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

    private Path log() {
        return directory.path().resolve("mariadb.log");
    }

    private void requireReady() {
        if (!process.awaitReady(this::answers)) {
            throw new IllegalStateException("mariadbd ended immediately:\n" + process.output());
        }
    }

    private boolean couldNotBind() {
        return process.output().contains("Can't start server: Bind on TCP/IP port");
    }

    /** Whether our own process answers, and not another server that has taken the port first. */
    private boolean answers() {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.getInputStream().read() >= 0
                    && Files.readString(directory.path().resolve("pid")).strip().equals("" + process.pid());
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Starts the server at its first use. */
    private static final class Shared {

        static final MariaDbServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "end-shared-mariadb"));
        }
    }
}

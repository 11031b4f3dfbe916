package io.leasehold.servers.database;

import io.leasehold.servers.DebianPackage;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.TemporaryDirectory;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A real PgBouncer in front of a PostgreSQL. It pools transactions and does not support prepared statements. The
 * program is the one on the PATH, else Debian's. Shared libraries that the machine lacks also come from Debian.
 */
public final class PgBouncer implements AutoCloseable {

    private static final int STARTS = 3;

    /** The packages of a library; each release of Debian has one of them. */
    private static final Map<String, List<String>> PACKAGES = Map.of(
            "libcares.so.2", List.of("libc-ares2", "libcares2"),
            "libevent-2.1.so.7", List.of("libevent-2.1-7", "libevent-2.1-7t64"));

    private final TemporaryDirectory directory = new TemporaryDirectory("pgbouncer-");

    private final PostgresServer server;

    private final int port = FreePort.find();

    private final ServerProcess process;

    private PgBouncer(PostgresServer server, int serverConnections) {
        this.server = server;
        Path program = program();
        process = ServerProcess.start(
                directory.path(), directory.path().resolve("pgbouncer.log"), command(program, serverConnections));
    }

    /** Starts a pooler in front of a server. All clients share the given number of connections to the server. */
    public static PgBouncer start(PostgresServer server, int serverConnections) {
        for (int i = 1; ; i++) {
            PgBouncer pooler = new PgBouncer(server, serverConnections);
            if (pooler.process.awaitReady(pooler::accepts)) {
                return pooler;
            }
            String output = pooler.process.output();
            pooler.close();
            if (i == STARTS) {
                throw new IllegalStateException("PgBouncer ended immediately:\n" + output);
            }
        }
    }

    /** The address for drivers, for the superuser. */
    public String url() {
        return server.url(port);
    }

    @Override
    public void close() {
        process.close();
        directory.delete();
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private List<String> command(Path program, int serverConnections) {
        List<String> command = new ArrayList<>();
        String libraries = missingLibraries(program);
        if (!libraries.isEmpty()) {
            command.addAll(List.of("env", "LD_LIBRARY_PATH=" + libraries));
        }
        command.add(program.toString());
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(configuration(serverConnections, output(program, libraries, "--version")));
        return command;
    }

    private String configuration(int serverConnections, String version) {
        List<String> lines = new ArrayList<>(List.of(
                "[databases]",
                "postgres = host=127.0.0.1 port=" + server.port() + " dbname=postgres user=postgres",
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = " + serverConnections,
                "max_client_conn = 500",
                "ignore_startup_parameters = extra_float_digits"));
        if (knowsPreparedStatements(version)) {
            lines.add("max_prepared_statements = 0");
        }
        try {
            Path file = directory.path().resolve("pgbouncer.ini");
            Files.write(file, lines);
            return file.toString();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Versions before 1.21 reject the setting. */
    private static boolean knowsPreparedStatements(String version) {
        String[] parts = version.replaceFirst("(?s)PgBouncer (\\S+).*", "$1").split("\\.");
        return Integer.parseInt(parts[0]) > 1 || Integer.parseInt(parts[1]) >= 21;
    }

    private static Path program() {
        String folders = Objects.requireNonNullElse(System.getenv("PATH"), "") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(folders.split(File.pathSeparator))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> new DebianPackage("pgbouncer").file("usr/sbin/pgbouncer"));
    }

    /** Returns the folders of the libraries that the machine lacks. */
    private static String missingLibraries(Path program) {
        List<String> folders = output(Path.of("ldd"), "", program.toString())
                .lines()
                .filter(line -> line.endsWith("=> not found"))
                .map(line -> line.strip().split(" ")[0])
                .map(PgBouncer::library)
                .map(file -> String.valueOf(file.getParent()))
                .distinct()
                .toList();
        return String.join(File.pathSeparator, folders);
    }

    private static Path library(String name) {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
        IllegalStateException missing = new IllegalStateException("PgBouncer needs " + name);
        for (String candidate : PACKAGES.getOrDefault(name, List.of())) {
            try {
                return new DebianPackage(candidate).file("usr/lib/" + machine + "-linux-gnu/" + name);
            } catch (IllegalStateException ex) {
                missing.addSuppressed(ex);
            }
        }
        throw missing;
    }

    private static String output(Path program, String libraries, String argument) {
        try {
            ProcessBuilder builder = new ProcessBuilder(program.toString(), argument).redirectErrorStream(true);
            if (!libraries.isEmpty()) {
                builder.environment().put("LD_LIBRARY_PATH", libraries);
            }
            Process process = builder.start();
            try (InputStream in = process.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}

package io.leasehold.sample.servers;

import io.leasehold.servers.database.H2Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects an instance to the server host that runs, or starts one. */
final class ServerLauncher {

    private static final Logger log = LoggerFactory.getLogger(ServerLauncher.class);

    private static final Duration ANSWER = Duration.ofSeconds(20);

    private final ServersDirectory directory;

    private final Duration linger;

    ServerLauncher(ServersDirectory directory, Duration linger) {
        this.directory = directory;
        this.linger = linger;
    }

    SampleServers join(Set<Store> stores) {
        try {
            SampleServers servers = directory.alone(() -> {
                Optional<SampleServers> there = tryJoin(stores);
                return there.isPresent() ? there.get() : launch(stores);
            });
            describe(servers, stores);
            return servers;
        } catch (Exception ex) {
            throw new IllegalStateException(
                    "The sample could not start or join its servers " + stores + " in " + directory.path()
                            + ". Set 'spring.data.redis.*' and 'spring.datasource.*' to use others",
                    ex);
        }
    }

    private SampleServers launch(Set<Store> stores) throws Exception {
        ServerHostProcess host = ServerHostProcess.start(directory, linger);
        Awaitility.await("the address of the server host")
                .pollInterval(Duration.ofMillis(25))
                .atMost(ANSWER)
                .until(() -> {
                    host.requireAlive();
                    return directory.address().isPresent();
                });
        Optional<SampleServers> joined = tryJoin(stores);
        if (joined.isEmpty()) {
            throw new IOException("the server host ended: " + host.output());
        }
        return joined.get();
    }

    /** Nothing if no host runs, or it does not answer, or it is about to end. */
    private Optional<SampleServers> tryJoin(Set<Store> stores) throws IOException {
        Optional<ServerHostAddress> address = directory.address();
        if (address.isEmpty()) {
            return Optional.empty();
        }
        Optional<SampleServers> joined = tryJoin(address.get(), stores);
        if (joined.isEmpty()) {
            directory.withdraw();
        }
        return joined;
    }

    private static Optional<SampleServers> tryJoin(ServerHostAddress address, Set<Store> stores) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
            String answer = ask(socket, address, stores);
            if (answer != null) {
                return Optional.of(new SampleServers(socket, JoinReply.parse(answer), address.secret()));
            }
            socket.close();
        } catch (IOException ex) {
            log.debug("The server host of an earlier run has ended", ex);
        }
        return Optional.empty();
    }

    private static @Nullable String ask(Socket socket, ServerHostAddress address, Set<Store> stores)
            throws IOException {
        String names = stores.stream().map(Store::name).collect(Collectors.joining(","));
        socket.setSoTimeout((int) ANSWER.toMillis());
        socket.getOutputStream().write((address.secret() + " " + names + "\n").getBytes(StandardCharsets.UTF_8));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    private static void describe(SampleServers servers, Set<Store> stores) {
        String cli = stores.contains(Store.CLUSTER) ? "redis-cli -c -p" : "redis-cli -p";
        servers.redisPorts().forEach(port -> log.info("Redis:    {} {}", cli, port));
        if (stores.contains(Store.DATABASE)) {
            log.info(
                    "Database: {} (user {}, password {})",
                    H2Server.url(servers.databasePort()),
                    H2Server.USER,
                    servers.secret());
        }
    }
}

package io.leasehold.sample.servers;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets an instance in: to the keeper that is there, or to a new one. */
final class Entrance {

    private static final Logger log = LoggerFactory.getLogger(Entrance.class);

    private static final Duration ANSWER = Duration.ofSeconds(20);

    private final ServersDirectory directory;

    private final Duration linger;

    Entrance(ServersDirectory directory, Duration linger) {
        this.directory = directory;
        this.linger = linger;
    }

    SampleServers join(Set<Store> stores) {
        try {
            SampleServers servers = directory.alone(() -> {
                Optional<SampleServers> there = tryJoin(stores);
                return there.isPresent() ? there.get() : found(stores);
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

    private SampleServers found(Set<Store> stores) throws Exception {
        KeeperProcess keeper = KeeperProcess.start(directory, linger);
        Patience.until("the keeper of the sample's servers", () -> {
            keeper.requireAlive();
            return directory.address().isPresent();
        });
        Optional<SampleServers> joined = tryJoin(stores);
        if (joined.isEmpty()) {
            throw new IOException("the keeper has ended: " + keeper.output());
        }
        return joined.get();
    }

    /** Nothing if there is no keeper, or it does not answer, or answers that it is about to leave. */
    private Optional<SampleServers> tryJoin(Set<Store> stores) throws IOException {
        Optional<KeeperAddress> address = directory.address();
        if (address.isEmpty()) {
            return Optional.empty();
        }
        Optional<SampleServers> joined = tryJoin(address.get(), stores);
        if (joined.isEmpty()) {
            directory.withdraw();
        }
        return joined;
    }

    private static Optional<SampleServers> tryJoin(KeeperAddress address, Set<Store> stores) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
            String answer = ask(socket, address, stores);
            if (answer != null) {
                return Optional.of(new SampleServers(socket, Welcome.parse(answer), address.secret()));
            }
            socket.close();
        } catch (IOException ex) {
            log.debug("The keeper of an earlier run has gone", ex);
        }
        return Optional.empty();
    }

    private static @Nullable String ask(Socket socket, KeeperAddress address, Set<Store> stores) throws IOException {
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

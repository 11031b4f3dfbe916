package io.leasehold.autoconfigure.adapter;

import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.servers.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The properties of an application for each store of real servers. */
final class AdapterStores {

    private AdapterStores() {}

    static Stream<Named<String[]>> all() {
        RedisServer redis = RedisServer.shared();
        return Stream.of(
                store(
                        "Redis",
                        "lock.backend=redis",
                        "lock.redis.host=" + redis.host(),
                        "lock.redis.port=" + redis.port()),
                store("Redlock", Redlock.properties()),
                store("PostgreSQL", leaseTable(PostgresServer.shared().url())),
                store("MariaDB", leaseTable(MariaDbServer.shared().url())),
                store("H2", leaseTable("jdbc:h2:mem:adapters;DB_CLOSE_DELAY=-1")),
                store(
                        "row locks",
                        "lock.backend=row-lock",
                        "lock.row-lock.initialize-schema=true",
                        "spring.datasource.url=" + PostgresServer.shared().url()),
                store("etcd", "lock.backend=etcd", "lock.etcd.endpoints=" + SharedEtcd.endpoint()));
    }

    private static Named<String[]> store(String name, String... properties) {
        return Named.of(name, properties);
    }

    private static String[] leaseTable(String url) {
        return new String[] {"lock.backend=jdbc", "lock.jdbc.initialize-schema=true", "spring.datasource.url=" + url};
    }

    /** Three servers that may vote as soon as they are started; they end with this JVM. */
    private static final class Redlock {

        private static final List<RedisServer> NODES =
                Stream.generate(RedisServer::startDurable).limit(3).toList();

        private Redlock() {}

        static String[] properties() {
            List<String> properties = new ArrayList<>(List.of("lock.backend=redlock", "lock.redlock.max-ttl=15m"));
            for (int i = 0; i < NODES.size(); i++) {
                String node = "lock.redlock.nodes[" + i + "].";
                properties.add(node + "host=" + NODES.get(i).host());
                properties.add(node + "port=" + NODES.get(i).port());
                properties.add(node + "persists-every-write=true");
            }
            return properties.toArray(String[]::new);
        }
    }
}

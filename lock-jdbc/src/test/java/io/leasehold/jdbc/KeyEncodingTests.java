package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockKeys;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that the character set of the database cannot store. */
class KeyEncodingTests {

    enum Latin1 {
        POSTGRESQL,
        MARIADB,
        MYSQL_DRIVER;

        UrlDataSource dataSource() {
            if (this != POSTGRESQL) {
                UrlDataSource server = new UrlDataSource(MariaDbServer.shared().url());
                server.execute("CREATE DATABASE IF NOT EXISTS latin_keys CHARACTER SET latin1");
                String url = this == MARIADB
                        ? MariaDbServer.shared().url()
                        : MariaDbServer.shared().mysqlUrl();
                return new UrlDataSource(url.replace("/locks?", "/latin_keys?"));
            }
            UrlDataSource server = new UrlDataSource(PostgresServer.shared().url());
            if (server.query("SELECT COUNT(*) FROM pg_database WHERE datname = 'latin_keys'") == 0) {
                server.execute("CREATE DATABASE latin_keys TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
            }
            return new UrlDataSource(PostgresServer.shared().url().replace("/postgres?", "/latin_keys?"));
        }

        /** A table whose owner has changed the character set. */
        void convert(UrlDataSource dataSource, String table) {
            if (this != POSTGRESQL) {
                dataSource.execute(
                        "ALTER TABLE " + table + " MODIFY lock_key VARCHAR(512) CHARACTER SET latin1 NOT NULL");
            }
        }

        String advice() {
            return this == POSTGRESQL
                    ? "Keep the tables of the locks in a database with the encoding UTF8, or set 'lock.mask-keys'"
                    : "Change the character set of column lock_key to utf8mb4, or set 'lock.mask-keys'";
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseIsRefusedWithTheNextStep(Latin1 database) {
        UrlDataSource dataSource = database.dataSource();
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(dataSource, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            database.convert(dataSource, "lock_lease");
            assertRefused(backend, database.advice());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRowLockIsRefusedWithTheNextStep(Latin1 database) {
        UrlDataSource dataSource = database.dataSource();
        try (RowLockBackend backend = RowLockBackend.withOwnPool(dataSource, new RowLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            database.convert(dataSource, "lock_row");
            database.convert(dataSource, "lock_row_fence");
            assertRefused(backend, database.advice());
        }
    }

    /** Keys and holders' names that can be stored, or that are replaced, are accepted on the same connections. */
    private static void assertRefused(LockBackend backend, String advice) {
        StoreClient client = new StoreClient(backend, "t-" + UUID.randomUUID());
        LockId id = client.id("u\u017cytkownik:\ud83d\udd12");
        assertThatThrownBy(() -> backend.acquire(new AcquireCommand(id, client.token(), StoreClient.LONG, 1, false))
                        .toCompletableFuture()
                        .join())
                .cause()
                .isInstanceOfSatisfying(
                        BackendFailure.class, ex -> assertThat(ex.effect()).isEqualTo(Effect.REFUSED))
                .hasMessageContaining(id.encoded())
                .hasMessageContaining(advice);
        client.release(client.grant("us\u00e9r:7"));
        client.release(client.grant(LockKeys.mask("u\u017cytkownik:\ud83d\udd12")));
        client.release(client.grantTo(new Instance(1, "w\u0119ze\u0142"), client.id("a"), StoreClient.LONG));
    }
}

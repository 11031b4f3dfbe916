package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.jdbc.row.LockableRow;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.jdbc.row.RowLocks;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.testsupport.RecordedLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks behave the same with unusual settings of a server, a user and a driver, many at the same time (F17, F52). */
class ServerSettingsTests {

    private static final String KEY = "a'b\\\"c_%\u00e9";

    enum Settings {
        POSTGRESQL(TestDatabase.POSTGRESQL, "&stringtype=unspecified&defaultRowFetchSize=1"),
        MARIADB(
                TestDatabase.MARIADB,
                "&autocommit=false&transactionIsolation=SERIALIZABLE&useServerPrepStmts=true&defaultFetchSize=1"
                        + "&sessionVariables=sql_mode='ORACLE,NO_BACKSLASH_ESCAPES,EMPTY_STRING_IS_NULL,"
                        + "PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE,TIME_ROUND_FRACTIONAL',sql_safe_updates=1,"
                        + "completion_type=1,innodb_snapshot_isolation=1,innodb_lock_wait_timeout=1,sql_select_limit=1,"
                        + "div_precision_increment=0,time_zone='-11:30'"),
        MYSQL_DRIVER(
                TestDatabase.MYSQL_DRIVER,
                "&defaultFetchSize=-2147483648&characterEncoding=GBK&useLocalTransactionState=true"
                        + "&useLocalSessionState=true&useAffectedRows=true&maxRows=1"
                        + "&sessionVariables=sql_mode='ANSI,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE',autocommit=0,"
                        + "sql_safe_updates=1,completion_type=1,transaction_isolation='SERIALIZABLE',"
                        + "innodb_lock_wait_timeout=1,sql_select_limit=1,div_precision_increment=0,time_zone='-11:30'"),
        H2(
                TestDatabase.H2,
                ";TIME ZONE=America/St_Johns;AUTOCOMMIT=OFF;LOCK_TIMEOUT=1;INIT=SET DEFAULT_LOCK_TIMEOUT 1");

        private static final List<String> OF_USER = List.of(
                "standard_conforming_strings = off",
                "escape_string_warning = off",
                "bytea_output = escape",
                "DateStyle = German",
                "IntervalStyle = sql_standard",
                "TimeZone = 'Australia/Lord_Howe'",
                "client_encoding = SJIS",
                "default_transaction_isolation = serializable",
                "default_transaction_deferrable = on",
                "lock_timeout = 1",
                "plan_cache_mode = force_generic_plan",
                "enable_indexscan = off",
                "enable_bitmapscan = off",
                "debug_parallel_query = regress");

        private final TestDatabase database;

        private final String parameters;

        Settings(TestDatabase database, String parameters) {
            this.database = database;
            this.parameters = parameters;
        }

        UrlDataSource dataSource() {
            String url = database.dataSource().url() + parameters;
            return new UrlDataSource(this == POSTGRESQL ? url.replace("user=postgres", "user=unusual") : url);
        }

        /** Creates the tables, and in PostgreSQL the user. */
        void setUp() {
            UrlDataSource owner = database.dataSource();
            database.backend().close();
            if (this == POSTGRESQL && owner.query("SELECT COUNT(*) FROM pg_roles WHERE rolname = 'unusual'") == 0) {
                owner.execute("CREATE ROLE unusual LOGIN SUPERUSER");
                OF_USER.forEach(setting -> owner.execute("ALTER ROLE unusual SET " + setting));
            }
            owner.execute("DROP TABLE IF EXISTS unusual_account");
            owner.execute("CREATE TABLE unusual_account (id INT PRIMARY KEY)");
            owner.execute("INSERT INTO unusual_account VALUES (1)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void leasesAreGrantedWaitedForAndRenewed(Settings settings) throws SQLException {
        settings.setUp();
        try (JdbcLockBackend backend = backend(settings);
                JdbcLockBackend otherBackend = backend(settings);
                Connection foreign = settings.database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            StoreClient other = new StoreClient(otherBackend, "unused");
            Held held = client.grant(client.id(KEY), Duration.ofSeconds(60));
            assertThat(other.busy(held.id()).remaining()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(60));
            assertThat(client.describe(held.id())).isInstanceOf(LockState.Held.class);
            assertThat(client.list(10).locks())
                    .singleElement()
                    .extracting("key")
                    .isEqualTo(KEY);
            assertThat(client.renew(held, Duration.ofSeconds(90))).isEqualTo(RenewAnswer.RENEWED);

            Waiter waiter = other.waitFor(held.id());
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            await().until(() -> waiter.busy().wakeup().isDone());
            Granted next = (Granted) await().until(
                            () -> other.acquire(held.id(), waiter.token(), StoreClient.LONG),
                            Granted.class::isInstance);
            assertThat(next.firstFence()).isGreaterThan(held.firstFence());
            client.busy(held.id());

            List<Held> many = IntStream.range(0, 40)
                    .mapToObj(i -> client.grant("lock-" + i))
                    .toList();
            List<RenewCommand> renewal = many.stream()
                    .map(lock -> new RenewCommand(lock.id(), lock.token(), StoreClient.LONG))
                    .toList();
            assertThat(client.renew(renewal)).containsOnly(RenewAnswer.RENEWED);
            foreign.setAutoCommit(false);
            try (PreparedStatement lock =
                    foreign.prepareStatement("SELECT token FROM lock_lease WHERE key_hash = ? FOR UPDATE")) {
                lock.setBytes(1, KeyHash.of(many.get(0).id()));
                assertThat(lock.executeQuery().next()).isTrue();
            }
            List<RenewAnswer> answers;
            try (RecordedLog log = new RecordedLog(JdbcLockBackend.class)) {
                answers = client.renew(renewal);
                await().untilAsserted(() -> assertThat(log.messages())
                        .containsExactly("No answer to the renewal of 1 of " + many.size()
                                + " locks: another transaction has locked their rows"));
            }
            foreign.rollback();
            assertThat(answers.get(0)).isEqualTo(RenewAnswer.UNKNOWN);
            assertThat(answers.subList(1, answers.size())).containsOnly(RenewAnswer.RENEWED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowLocksExcludeEachOther(Settings settings) throws SQLException {
        settings.setUp();
        RowLockOptions options = new RowLockOptions();
        UrlDataSource dataSource = settings.dataSource();
        try (RowLockBackend backend = RowLockBackend.withOwnPool(dataSource, options, System::nanoTime);
                RowLockBackend otherBackend = RowLockBackend.withOwnPool(dataSource, options, System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            StoreClient other = new StoreClient(otherBackend, "unused");
            Held held = client.grant(KEY);
            other.busy(held.id());
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            Held next = other.grant(held.id(), StoreClient.LONG);
            assertThat(next.firstFence()).isGreaterThan(held.firstFence());
            client.busy(held.id());
        }
        RowLocks locks = new RowLocks(dataSource);
        LockableRow row = new LockableRow("unusual_account", "id", 1);
        assertThat(locks.inTransaction(row, Duration.ofSeconds(1), connection -> {
                    assertThat(locks.inTransaction(row, Duration.ZERO, inner -> "done"))
                            .isEmpty();
                    return "done";
                }))
                .contains("done");
    }

    private static JdbcLockBackend backend(Settings settings) {
        return JdbcLockBackend.withOwnPool(settings.dataSource(), new JdbcLockOptions(), System::nanoTime);
    }
}

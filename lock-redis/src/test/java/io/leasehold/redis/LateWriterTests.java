package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.fencing.FencedGuard;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F10: a holder that was paused for longer than the ttl writes after its successor, with and without the guard. */
@Tag("slow")
class LateWriterTests {

    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private static final Duration TTL = Duration.ofSeconds(2);

    private final RedisServer redis = RedisServer.start();

    private final String database = PostgresServer.shared().url();

    @TempDir
    private Path directory;

    @BeforeEach
    void prepare() throws SQLException {
        execute("DROP TABLE IF EXISTS late_write");
        execute("CREATE TABLE late_write (id VARCHAR(40) PRIMARY KEY, writer VARCHAR(40), fence BIGINT)");
        execute("INSERT INTO late_write (id, writer) VALUES ('it', 'nobody')");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void aLateWriteIsRefusedByTheGuard() throws Exception {
        String output = pauseBeforeTheWrite("guarded");
        assertThat(output).contains("refused ").doesNotContain("wrote ");
        assertThat(writer()).isEqualTo("successor");
    }

    @Test
    void withoutTheGuardTheLateWriteWins() throws Exception {
        assertThat(pauseBeforeTheWrite("bare")).contains("wrote ");
        assertThat(writer()).isEqualTo("late");
    }

    private String pauseBeforeTheWrite(String how) throws SQLException, IOException {
        Path go = directory.resolve("go");
        try (ServerProcess holder = start(go, how);
                RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            await().atMost(DEADLINE).until(() -> holder.hasPrinted("held "));
            holder.pause();
            Optional<LockHandle> lock = here.locker().tryLock("it", TTL.plus(DEADLINE));
            try (Connection transaction = DriverManager.getConnection(database)) {
                transaction.setAutoCommit(false);
                new FencedGuard("late_write", "id", "fence")
                        .enter(transaction, "it", lock.orElseThrow().fencingToken());
                transaction.createStatement().executeUpdate("UPDATE late_write SET writer = 'successor'");
                transaction.commit();
            }
            Files.createFile(go);
            holder.resume();
            await().atMost(DEADLINE).until(() -> holder.hasPrinted("wrote ") || holder.hasPrinted("refused "));
            return holder.output();
        }
    }

    private ServerProcess start(Path go, String how) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LateWriterProcess.class.getName(),
                Integer.toString(redis.port()),
                Long.toString(TTL.toMillis()),
                database,
                go.toString(),
                how);
        return ServerProcess.start(directory, directory.resolve("holder.log"), command);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String writer() throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT writer FROM late_write")) {
            rows.next();
            return rows.getString(1);
        }
    }
}

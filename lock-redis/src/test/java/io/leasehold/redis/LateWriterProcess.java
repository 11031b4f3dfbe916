package io.leasehold.redis;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.fencing.FencedGuard;
import io.leasehold.fencing.StaleFencingTokenException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that acquires a lock, checks that it holds it, and writes as soon as a file exists. If the process is
 * paused between the check and the write, it writes too late and cannot know it.
 */
public final class LateWriterProcess {

    private LateWriterProcess() {}

    /**
     * Runs the process.
     *
     * @param arguments the port of Redis, the ttl in milliseconds, the database, the file to wait for, "guarded" or not
     */
    public static void main(String[] arguments) throws SQLException {
        LockerSettings settings = LockerSettings.of("hold").withTtl(Duration.ofMillis(Long.parseLong(arguments[1])));
        try (RedisLocking locking = new RedisLocking(Integer.parseInt(arguments[0]), settings);
                Connection connection = DriverManager.getConnection(arguments[2])) {
            LockHandle lock = locking.locker().lock("it");
            lock.requireHeld();
            say("held " + lock.fencingToken());
            Path go = Path.of(arguments[3]);
            while (!Files.exists(go)) {
                LockSupport.parkNanos(1_000_000);
            }
            connection.setAutoCommit(false);
            write(connection, lock.fencingToken(), arguments[4].equals("guarded"));
        }
    }

    private static void write(Connection connection, long token, boolean guarded) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (guarded) {
                new FencedGuard("late_write", "id", "fence").enter(connection, "it", token);
            }
            statement.executeUpdate("UPDATE late_write SET writer = 'late' WHERE id = 'it'");
            connection.commit();
            say("wrote " + token);
        } catch (StaleFencingTokenException ex) {
            connection.rollback();
            say("refused " + ex.newest());
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}

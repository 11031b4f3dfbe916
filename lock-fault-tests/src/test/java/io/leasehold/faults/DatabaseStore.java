package io.leasehold.faults;

import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.DatabaseServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** A database, by lease table or by row lock. */
final class DatabaseStore extends BreakableStore {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    private final String name;

    private final DatabaseServer server;

    private final boolean rowLocks;

    private final boolean own;

    private DatabaseStore(String name, DatabaseServer server, boolean rowLocks, boolean own) {
        this.name = name;
        this.server = server;
        this.rowLocks = rowLocks;
        this.own = own;
    }

    static DatabaseStore leaseTable(String name, DatabaseServer server, boolean own) {
        return new DatabaseStore(name, server, false, own);
    }

    static DatabaseStore rowLock(String name, DatabaseServer server, boolean own) {
        return new DatabaseStore(name, server, true, own);
    }

    @Override
    String name() {
        return name;
    }

    @Override
    List<Integer> ports() {
        return List.of(server.port());
    }

    @Override
    Connection connect(List<Integer> ports) {
        DriverDataSource dataSource = new DriverDataSource(server.url(ports.get(0)));
        return new Connection(rowLocks ? rowLocks(dataSource) : leaseTable(dataSource));
    }

    @Override
    Set<ServerFault> serverFaults() {
        return own ? ServerFault.WITH_DATA : Set.of();
    }

    /** An abandoned attempt to lock a row ends when its connection answers or is abandoned as well. */
    @Override
    Duration recovery() {
        return rowLocks ? super.recovery().plus(ttl()) : super.recovery();
    }

    /** A row lock ends with its connection. */
    @Override
    boolean mayLoseGrants(FaultCase plan) {
        return rowLocks && plan.cutsConnections();
    }

    /** HikariCP doubles its pause after each failed attempt, from 50 ms to 5 s. */
    @Override
    boolean mayReconnectLate(FaultCase plan) {
        return plan.cutsConnections();
    }

    @Override
    boolean keepsLocksOfBrokenConnections() {
        return !rowLocks;
    }

    @Override
    void strike(ServerFault fault, List<Integer> nodes) {
        if (fault.pauses()) {
            server.pause();
        } else {
            server.kill();
        }
    }

    @Override
    void heal(ServerFault fault, List<Integer> nodes) {
        if (fault.pauses()) {
            server.resume();
        } else {
            server.restart();
        }
    }

    @Override
    public void close() {
        if (own) {
            server.close();
        }
    }

    private static LockBackend leaseTable(DriverDataSource dataSource) {
        JdbcLockOptions options =
                new JdbcLockOptions().withLockWait(COMMAND_TIMEOUT.dividedBy(2)).withCommandTimeout(COMMAND_TIMEOUT);
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, options, System::nanoTime);
        connectAnd(backend::initializeSchema);
        return backend;
    }

    private static LockBackend rowLocks(DriverDataSource dataSource) {
        RowLockOptions options =
                new RowLockOptions().withCommandTimeout(COMMAND_TIMEOUT).withMaxLocks(20);
        RowLockBackend backend = RowLockBackend.withOwnPool(dataSource, options, System::nanoTime);
        connectAnd(backend::initializeSchema);
        return backend;
    }

    /**
     * Retries for up to a minute, because a server that is busy with other tests may be slow to accept the first
     * connection.
     */
    private static void connectAnd(ThrowingRunnable initialize) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(initialize);
    }
}

package io.leasehold.benchmarks.contestant;

import io.leasehold.engine.LockerSettings;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Contestants that lock in a table of a database, each with {@value Pools#CONNECTIONS} connections, the default of
 * {@code lock.jdbc.connections}.
 */
public enum JdbcContestant implements Contestant {
    LEASEHOLD("Leasehold", Role.OURS, JdbcContestant::leasehold),
    LEASEHOLD_STARTER("Leasehold, starter", Role.OURS, JdbcContestant::starter),
    RAW("raw statements", Role.RAW, RawJdbcClient::forUsedKeys),
    RAW_NEW_KEYS("raw statements", Role.RAW, RawJdbcClient::forNewKeys),
    INTEGRATION("Spring Integration", Role.PEER, JdbcContestant::integration),
    SHEDLOCK("ShedLock", Role.PEER, JdbcContestant::shedLock);

    private final String label;

    private final Role role;

    private final Opener opener;

    JdbcContestant(String label, Role role, Opener opener) {
        this.label = label;
        this.role = role;
        this.opener = opener;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public LockClient open(String store, Duration ttl) throws SQLException {
        return opener.open(store, ttl);
    }

    private static LockClient leasehold(String url, Duration ttl) throws SQLException {
        JdbcLockOptions options = new JdbcLockOptions().withConnections(Pools.CONNECTIONS);
        JdbcLockBackend backend = JdbcLockBackend.withOwnPool(Pools.open(url), options, System::nanoTime);
        backend.initializeSchema();
        return new LeaseholdClient(backend, ttl, LockerSettings.DEFAULT_MAX_LOCAL_HANDOFFS);
    }

    private static LockClient starter(String url, Duration ttl) {
        return StarterClient.start(
                ttl, "lock.backend=jdbc", "lock.jdbc.url=" + url, "lock.jdbc.initialize-schema=true");
    }

    private static LockClient integration(String url, Duration ttl) throws SQLException {
        DataSource connections = Pools.open(
                url,
                "CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),"
                        + " CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL,"
                        + " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))");
        DefaultLockRepository repository = new DefaultLockRepository(connections);
        repository.setTransactionManager(new JdbcTransactionManager(connections));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository, ttl);
        return key -> {
            Lock lock = registry.obtain(key);
            lock.lock();
            return lock::unlock;
        };
    }

    private static LockClient shedLock(String url, Duration ttl) throws SQLException {
        DataSource connections = Pools.open(
                url,
                "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL"
                        + " DEFAULT CURRENT_TIMESTAMP(3), locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
                        + " locked_by VARCHAR(255) NOT NULL)");
        return new ShedLockClient(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(connections))
                        .usingDbTime()
                        .build()),
                ttl);
    }

    private interface Opener {

        LockClient open(String store, Duration ttl) throws SQLException;
    }
}

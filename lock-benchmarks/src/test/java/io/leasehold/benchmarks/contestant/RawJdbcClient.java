package io.leasehold.benchmarks.contestant;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A lease table by hand, with two statements in a transaction each. The first takes a free row, increments its fencing
 * token and returns it; if keys are new, it inserts the row instead. The second frees the row. It cannot wait and
 * renews nothing.
 */
final class RawJdbcClient implements LockClient {

    private static final String TABLE = "CREATE TABLE raw_lock (name VARCHAR(100) PRIMARY KEY, token VARCHAR(36),"
            + " until_at BIGINT NOT NULL, fence BIGINT NOT NULL)";

    private static final String GIVE_BACK =
            "UPDATE raw_lock SET token = NULL, until_at = 0 WHERE name = ? AND token = ?";

    private static final String[] FENCE = {"fence"};

    private final DataSource connections;

    private final String take;

    private final String insert;

    private final boolean insertsFirst;

    private RawJdbcClient(String url, Duration ttl, boolean insertsFirst) throws SQLException {
        this.insertsFirst = insertsFirst;
        boolean postgres = url.contains("postgres");
        connections = Pools.open(url, postgres ? TABLE + " WITH (fillfactor = 50)" : TABLE);
        String now = postgres
                ? "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"
                : "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
        String next = postgres ? "fence + 1" : "LAST_INSERT_ID(fence + 1)";
        long micros = TimeUnit.NANOSECONDS.toMicros(ttl.toNanos());
        take = "UPDATE raw_lock SET token = ?, fence = %s, until_at = %s + %d WHERE name = ? AND until_at <= %s"
                .formatted(next, now, micros, now);
        insert = (postgres
                        ? "INSERT INTO raw_lock VALUES (?, ?, %s + %d, 1) ON CONFLICT DO NOTHING"
                        : "INSERT IGNORE INTO raw_lock VALUES (?, ?, %s + %d, 1)")
                .formatted(now, micros);
    }

    /** For keys that were locked before. */
    static LockClient forUsedKeys(String url, Duration ttl) throws SQLException {
        return new RawJdbcClient(url, ttl, false);
    }

    /** For keys that have no row yet. */
    static LockClient forNewKeys(String url, Duration ttl) throws SQLException {
        return new RawJdbcClient(url, ttl, true);
    }

    @Override
    public Hold acquire(String key) throws SQLException {
        String token = UUID.randomUUID().toString();
        if (!(insertsFirst ? insert(token, key) || take(token, key) > 0 : take(token, key) > 0 || insert(token, key))) {
            throw new IllegalStateException("'" + key + "' is locked, and the raw client does not wait");
        }
        return () -> {
            if (update(GIVE_BACK, key, token) == 0) {
                throw new IllegalStateException("'" + key + "' was lost");
            }
        };
    }

    private boolean insert(String token, String key) throws SQLException {
        return update(insert, key, token) > 0;
    }

    /** Returns the fencing token, or zero if the lock is not free. */
    private long take(String token, String key) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(take, FENCE)) {
            statement.setString(1, token);
            statement.setString(2, key);
            if (statement.executeUpdate() == 0) {
                return 0;
            }
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }

    private int update(String sql, String... parameters) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }
}

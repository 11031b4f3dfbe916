package io.leasehold.benchmarks.contestant;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A lease table by hand: one statement that takes a free row and counts its fencing token up, and one that gives it back,
 * each a transaction of its own. It cannot wait and renews nothing.
 */
final class RawJdbcClient implements LockClient {

    private static final String TABLE = "CREATE TABLE raw_lock (name VARCHAR(100) PRIMARY KEY, token VARCHAR(36),"
            + " until_at BIGINT NOT NULL, fence BIGINT NOT NULL)";

    private static final String CREATE = "INSERT INTO raw_lock VALUES (?, NULL, 0, 0)";

    private static final String GIVE_BACK =
            "UPDATE raw_lock SET token = NULL, until_at = 0 WHERE name = ? AND token = ?";

    private final DataSource connections;

    private final String take;

    RawJdbcClient(String url, Duration ttl) throws SQLException {
        boolean postgres = url.contains("postgres");
        connections = Pools.open(url, postgres ? TABLE + " WITH (fillfactor = 50)" : TABLE);
        String now = postgres
                ? "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"
                : "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
        take = "UPDATE raw_lock SET token = ?, fence = fence + 1, until_at = %s + %d WHERE name = ? AND until_at <= %s"
                .formatted(now, TimeUnit.NANOSECONDS.toMicros(ttl.toNanos()), now);
    }

    @Override
    public Hold acquire(String key) throws SQLException {
        String token = UUID.randomUUID().toString();
        if (update(take, token, key) == 0) {
            update(CREATE, key);
            if (update(take, token, key) == 0) {
                throw new IllegalStateException("'" + key + "' is locked, and the raw client does not wait");
            }
        }
        return () -> {
            if (update(GIVE_BACK, key, token) == 0) {
                throw new IllegalStateException("'" + key + "' was lost");
            }
        };
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

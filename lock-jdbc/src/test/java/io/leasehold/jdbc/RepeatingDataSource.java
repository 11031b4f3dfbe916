package io.leasehold.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB that answers each upsert of the lease table as a node of a Galera cluster does after it has repeated the
 * statement: in front of the row that was committed, there is the row of an attempt that was rolled back. In that row
 * the lock was granted.
 */
final class RepeatingDataSource extends PlainDataSource {

    private static final int TOKEN_PARAMETER = 3;

    private final DataSource target;

    RepeatingDataSource(DataSource target) {
        this.target = target;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = target.getConnection();
        return proxy(Connection.class, connection, (method, arguments, answer) -> {
            boolean isUpsert = method.equals("prepareStatement") && ((String) arguments[0]).contains("RETURNING");
            return isUpsert ? repeating((PreparedStatement) answer) : answer;
        });
    }

    private static PreparedStatement repeating(PreparedStatement upsert) {
        AtomicReference<@Nullable Object> token = new AtomicReference<>();
        return proxy(PreparedStatement.class, upsert, (method, arguments, answer) -> {
            if (method.equals("setString") && arguments[0].equals(TOKEN_PARAMETER)) {
                token.set(arguments[1]);
            }
            return method.equals("getResultSet") ? twoRows((ResultSet) answer, token.get()) : answer;
        });
    }

    private static ResultSet twoRows(ResultSet committed, @Nullable Object token) {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicBoolean atCommittedRow = new AtomicBoolean();
        InvocationHandler rows = (proxy, method, arguments) -> {
            if (method.getName().equals("next") && begun.compareAndSet(false, true)) {
                return true;
            }
            if (method.getName().equals("next") || method.getName().equals("close")) {
                atCommittedRow.set(true);
            }
            if (atCommittedRow.get()) {
                return method.invoke(committed, arguments);
            }
            return switch (method.getName()) {
                case "getString" -> token;
                case "getLong" -> 1_000_000L;
                case "getBoolean" -> false;
                default -> throw new UnsupportedOperationException(method.getName());
            };
        };
        return (ResultSet)
                Proxy.newProxyInstance(ResultSet.class.getClassLoader(), new Class<?>[] {ResultSet.class}, rows);
    }

    private static <T> T proxy(Class<T> type, T target, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return change.of(method.getName(), arguments, method.invoke(target, arguments));
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                }));
    }

    private interface Change {

        @Nullable
        Object of(String method, Object[] arguments, @Nullable Object answer);
    }
}

package io.leasehold.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts the requests to a database on its connections: prepared statements, commits and roll-backs. */
final class CountingDataSource extends PlainDataSource {

    private final DataSource target;

    private final AtomicInteger sent = new AtomicInteger();

    CountingDataSource(DataSource target) {
        this.target = target;
    }

    /** Returns the number of requests since the last call. */
    int sent() {
        return sent.getAndSet(0);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = target.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("commit") || method.getName().equals("rollback")) {
                sent.incrementAndGet();
            }
            Object answer = call(connection, method, arguments);
            return answer instanceof PreparedStatement statement ? counted(statement) : answer;
        });
    }

    private PreparedStatement counted(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                sent.incrementAndGet();
            }
            return call(statement, method, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause();
        }
    }
}

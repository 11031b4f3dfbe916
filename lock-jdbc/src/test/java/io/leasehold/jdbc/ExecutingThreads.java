package io.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** Records the threads that execute prepared statements. */
final class ExecutingThreads extends PlainDataSource {

    private final DataSource target;

    private final Set<String> threads = ConcurrentHashMap.newKeySet();

    ExecutingThreads(DataSource target) {
        this.target = target;
    }

    Set<String> threads() {
        return threads;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return watched(Connection.class, target.getConnection());
    }

    private <T> T watched(Class<T> type, Object actual) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (type == PreparedStatement.class && method.getName().startsWith("execute")) {
                        threads.add(Thread.currentThread().getName());
                    }
                    try {
                        Object answer = method.invoke(actual, arguments);
                        return answer instanceof PreparedStatement ? watched(PreparedStatement.class, answer) : answer;
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                }));
    }
}

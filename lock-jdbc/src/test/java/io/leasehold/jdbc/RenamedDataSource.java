package io.leasehold.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A database that reports another product name. */
final class RenamedDataSource extends PlainDataSource {

    private final DataSource target;

    private final String product;

    RenamedDataSource(DataSource target, String product) {
        this.target = target;
        this.product = product;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = target.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object answer = call(() -> method.invoke(connection, arguments));
            return answer instanceof DatabaseMetaData metaData ? renamed(metaData) : answer;
        });
    }

    private DatabaseMetaData renamed(DatabaseMetaData metaData) {
        return proxy(
                DatabaseMetaData.class,
                (proxy, method, arguments) -> method.getName().equals("getDatabaseProductName")
                        ? product
                        : call(() -> method.invoke(metaData, arguments)));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Call call) throws Throwable {
        try {
            return call.invoke();
        } catch (InvocationTargetException ex) {
            throw ex.getCause();
        }
    }

    private interface Call {

        Object invoke() throws ReflectiveOperationException;
    }
}

package io.leasehold.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database that replaces one query or command with another. */
public final class AnsweringDataSource extends PlainDataSource {

    private final DataSource target;

    private final String question;

    private final String instead;

    public AnsweringDataSource(DataSource target, String question, String instead) {
        this.target = target;
        this.question = question;
        this.instead = instead;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = target.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object answer = call(() -> method.invoke(connection, arguments));
            return method.getName().equals("createStatement") ? asking((Statement) answer) : answer;
        });
    }

    private Statement asking(Statement statement) {
        return proxy(
                Statement.class,
                (proxy, method, arguments) -> method.getName().startsWith("execute") && question.equals(arguments[0])
                        ? call(() -> method.invoke(statement, instead))
                        : call(() -> method.invoke(statement, arguments)));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Call call) throws Throwable {
        try {
            return call.invoke();
        } catch (InvocationTargetException ex) {
            throw ex.getCause();
        }
    }

    private interface Call {

        @Nullable
        Object invoke() throws ReflectiveOperationException;
    }
}

package io.leasehold.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database in which some statements meet a hindrance before they are sent, on the thread that sends them. */
public final class HinderedDataSource extends PlainDataSource {

    private final DataSource target;

    private final AtomicInteger left = new AtomicInteger();

    private final AtomicInteger hindered = new AtomicInteger();

    private volatile String part = "";

    private volatile Hindrance hindrance = connection -> {};

    public HinderedDataSource(DataSource target) {
        this.target = target;
    }

    /** Hinders the next statements, so many of them, that contain a text. */
    public void hinder(String part, int times, Hindrance hindrance) {
        this.part = part;
        this.hindrance = hindrance;
        left.set(times);
    }

    /** Returns how many statements have met a hindrance. */
    public int hindered() {
        return hindered.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = target.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                meet(connection, arguments);
            }
            Object answer = call(connection, method, arguments);
            return method.getName().equals("createStatement") ? hindered(connection, (Statement) answer) : answer;
        });
    }

    private Statement hindered(Connection connection, Statement statement) {
        return proxy(Statement.class, (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                meet(connection, arguments);
            }
            return call(statement, method, arguments);
        });
    }

    private void meet(Connection connection, Object[] arguments) throws SQLException {
        if (arguments[0].toString().contains(part) && left.getAndUpdate(most -> Math.max(0, most - 1)) > 0) {
            Hindrance met = hindrance;
            hindered.incrementAndGet();
            met.meet(connection);
        }
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

    /** What a statement meets, on its connection. */
    @FunctionalInterface
    public interface Hindrance {

        void meet(Connection connection) throws SQLException;
    }
}

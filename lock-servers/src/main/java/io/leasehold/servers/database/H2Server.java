package io.leasehold.servers.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.h2.tools.Server;

/** A database in memory that other processes can use. It ends with this process. */
public record H2Server(Server server, Connection keepsItOpen) implements AutoCloseable {

    /** The user that owns the database. */
    public static final String USER = "sample";

    private static final String NAME = "mem:sample";

    /** Starts a server on a free port of the loopback interface. */
    public static H2Server start(String password) throws SQLException {
        Connection keepsItOpen = DriverManager.getConnection("jdbc:h2:" + NAME, USER, password);
        return new H2Server(Server.createTcpServer("-tcpPort", "0").start(), keepsItOpen);
    }

    /** The address for drivers. */
    public static String url(int port) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/" + NAME;
    }

    /** The port on which the server listens. */
    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.stop();
    }
}

package io.leasehold.sample.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.h2.tools.Server;

/** A database in memory that other processes can use. It is gone with this process. */
record H2Server(Server server, Connection keepsItOpen) implements AutoCloseable {

    static final String USER = "sample";

    private static final String NAME = "mem:sample";

    static H2Server start(String password) throws SQLException {
        Connection keepsItOpen = DriverManager.getConnection("jdbc:h2:" + NAME, USER, password);
        return new H2Server(Server.createTcpServer("-tcpPort", "0").start(), keepsItOpen);
    }

    static String url(int port) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/" + NAME;
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.stop();
    }
}

package io.leasehold.architecture;

import io.leasehold.jdbc.JdbcLockBackend;
import java.util.List;

/** The packages of lock-jdbc and the packages that each of them may see. */
class JdbcArchitectureTests extends ArchitectureContract {

    private static final List<Room> ROOMS = List.of(
            Room.of("jdbc", "", "spi", "support", "jdbc.connection", "jdbc.table", "jdbc.waiting")
                    .with("javax.sql", "com.zaxxer.hikari"),
            Room.of("jdbc.connection", "spi", "support").with("javax.sql", "org.postgresql", "com.zaxxer.hikari"),
            Room.of("jdbc.table", "", "spi", "jdbc.connection"),
            Room.of("jdbc.waiting", "spi", "support", "jdbc.connection", "jdbc.table")
                    .with("org.slf4j", "org.postgresql"),
            Room.of("jdbc.row", "", "spi", "support", "jdbc", "jdbc.connection", "jdbc.table")
                    .with("javax.sql", "com.zaxxer.hikari"));

    JdbcArchitectureTests() {
        super(JdbcLockBackend.class, ROOMS);
    }

    @Override
    protected List<Room> databaseRooms() {
        return ROOMS;
    }
}

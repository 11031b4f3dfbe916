package io.leasehold.architecture;

import io.leasehold.jdbc.JdbcLockBackend;
import java.util.List;

/** The packages of lock-jdbc and what each of them may see. */
class JdbcArchitectureTests extends ArchitectureContract {

    private static final Room JDBC =
            Room.of("jdbc", "", "spi", "support").with("org.slf4j", "javax.sql", "org.postgresql", "com.zaxxer.hikari");

    JdbcArchitectureTests() {
        super(JdbcLockBackend.class, List.of(JDBC));
    }

    @Override
    protected List<Room> databaseRooms() {
        return List.of(JDBC);
    }
}

package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that the servers of the build cannot be brought to report. */
class SqlErrorTests {

    @ParameterizedTest
    @CsvSource({
        // a conflict between the members of a Group Replication cluster
        "MYSQL, 40000, 3101, CONTENTION",
        // binlog_format is STATEMENT
        "MYSQL, HY000, 1665, REFUSED",
        "MARIADB, HY000, 1665, REFUSED",
        // the queue of notifications is full
        "POSTGRESQL, 54000, 0, NOT_DONE",
        // a driver with several hosts could not connect to the next one after it had sent the statement
        "MYSQL, 28000, 1045, NO_ANSWER",
        "MYSQL, 42000, 1044, NO_ANSWER",
        "MARIADB, 42000, 1203, NO_ANSWER",
        "MYSQL, 42000, 1226, NO_ANSWER",
        "MYSQL, 08004, 1040, NO_ANSWER",
        "MYSQL, 08001, 0, NO_ANSWER",
        // MariaDB's driver: the timeout of a closed connection cannot be set
        "MARIADB, 42000, -1, NO_ANSWER",
        // no right to the table, no such database of the table
        "MYSQL, 42000, 1049, REFUSED",
        "MYSQL, 42000, 1142, REFUSED",
    })
    void errorsHaveTheirMeaning(DatabaseDialect dialect, String state, int code, SqlError meaning) {
        assertThat(SqlError.classify(new SQLException("no", state, code), dialect))
                .isEqualTo(meaning);
    }
}

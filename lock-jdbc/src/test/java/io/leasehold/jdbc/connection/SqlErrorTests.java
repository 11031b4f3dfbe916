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
    })
    void errorsHaveTheirMeaning(DatabaseDialect dialect, String state, int code, SqlError meaning) {
        assertThat(SqlError.classify(new SQLException("no", state, code), dialect))
                .isEqualTo(meaning);
    }
}

package io.leasehold.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UrlDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The example of row locks in docs/backends.md runs, and is the code of this class. */
class BackendsPageTests {

    private static final Path SOURCE = Path.of("src/test/java/io/leasehold/jdbc/row/BackendsPageTests.java");

    @Test
    void rowLocks() throws SQLException {
        UrlDataSource dataSource = TestDatabase.H2.dataSource();
        dataSource.execute("DROP TABLE IF EXISTS account");
        dataSource.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL)");
        dataSource.execute("INSERT INTO account VALUES (1, 0)");

        RowLocks rowLocks = new RowLocks(dataSource);
        LockableRow row = new LockableRow("account", "id", 1);
        Optional<Integer> updated = rowLocks.inTransaction(row, Duration.ofSeconds(5), connection -> {
            try (Statement work = connection.createStatement()) {
                return work.executeUpdate("UPDATE account SET balance = balance + 1 WHERE id = 1");
            }
        });

        assertThat(updated).contains(1);
    }

    @Test
    void thePageHasTheCodeOfThisClass() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "backends.md"));
        int start = page.indexOf("RowLocks rowLocks");
        assertThat(start).isPositive();
        assertThat(withoutIndentation(Files.readString(SOURCE)))
                .contains(withoutIndentation(page.substring(start, page.indexOf("```", start))));
    }

    private static String withoutIndentation(String code) {
        return code.replaceAll("(?m)^ +", "");
    }
}

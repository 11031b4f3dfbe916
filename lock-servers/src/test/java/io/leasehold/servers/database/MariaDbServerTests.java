package io.leasehold.servers.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MariaDbServerTests {

    /** A server removes all temporary tables of its directory when it starts, because they are from its last run. */
    @Test
    void aStartLeavesTheTemporaryTablesOfOtherServers() throws IOException {
        Path temporary = Path.of(System.getenv().getOrDefault("TMPDIR", "/tmp"));
        Path tableOfAnother = Files.createFile(temporary.resolve("#sql-temptable-" + UUID.randomUUID() + ".MAI"));

        try (MariaDbServer server = MariaDbServer.start()) {
            assertThat(server.port()).isPositive();
            assertThat(tableOfAnother).exists();
        } finally {
            Files.deleteIfExists(tableOfAnother);
        }
    }
}

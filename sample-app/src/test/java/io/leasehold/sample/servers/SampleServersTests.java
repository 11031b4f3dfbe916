package io.leasehold.sample.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.database.H2Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers are there as long as an instance uses them. */
class SampleServersTests {

    private static final EnumSet<Store> BOTH = EnumSet.of(Store.REDIS, Store.DATABASE);

    @TempDir
    private Path directory;

    @Test
    void outliveTheInstanceThatStartedThem() throws Exception {
        SampleServers first = join();
        assertThat(first.index()).isZero();
        SampleServers second = join();
        assertThat(second.index()).isEqualTo(1);
        assertThat(second.redisPorts()).isEqualTo(first.redisPorts()).hasSize(1);
        write(first, "kept");

        first.close();

        assertThat(ping(second)).isTrue();
        assertThat(read(second)).isEqualTo("kept");
        second.close();
        await().until(() -> !ping(second));
        await().until(() -> runs() == 0);
    }

    @Test
    void startOnlyWhatIsAskedFor() throws Exception {
        try (SampleServers servers = launcher().join(EnumSet.of(Store.DATABASE))) {
            assertThat(servers.redisPorts()).isEmpty();
            write(servers, "there");
        }
        await().until(() -> runs() == 0);
    }

    @Test
    void endWithTheirHostAndAreReplacedWhenItIsKilled() throws Exception {
        SampleServers orphan = join();
        host().destroyForcibly();
        await().until(() -> hosts() == 0);
        await().until(() -> !ping(orphan));

        try (SampleServers servers = join()) {
            assertThat(ping(servers)).isTrue();
            assertThat(servers.redisPorts()).doesNotContainAnyElementsOf(orphan.redisPorts());
            assertThat(runs()).isEqualTo(1);
        }
        await().until(() -> runs() == 0);
    }

    private SampleServers join() {
        return launcher().join(BOTH);
    }

    private ServerLauncher launcher() {
        return new ServerLauncher(ServersDirectory.at(directory), Duration.ofSeconds(10));
    }

    private long runs() throws IOException {
        return ServersDirectory.at(directory).runs().count();
    }

    private long hosts() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()))
                .count();
    }

    private ProcessHandle host() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()))
                .findAny()
                .orElseThrow();
    }

    private static boolean ping(SampleServers servers) {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), servers.redisPorts().get(0))) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.UTF_8).equals("+PONG");
        } catch (IOException ex) {
            return false;
        }
    }

    private static void write(SampleServers servers, String text) throws SQLException {
        try (Connection connection = connect(servers)) {
            connection.createStatement().execute("create table note (text varchar(10)) as select '" + text + "'");
        }
    }

    private static String read(SampleServers servers) throws SQLException {
        try (Connection connection = connect(servers);
                var rows = connection.createStatement().executeQuery("select text from note")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Connection connect(SampleServers servers) throws SQLException {
        return DriverManager.getConnection(H2Server.url(servers.databasePort()), H2Server.USER, servers.secret());
    }
}

package io.leasehold.servers.database;

import io.leasehold.servers.TestImage;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/** MySQL's own server in a container, because it is not available in another form here. */
public final class MySqlServer {

    private final MySQLContainer container;

    private MySqlServer(MySQLContainer container) {
        this.container = container;
    }

    /** Returns a server that all tests of this JVM share. Tests must neither damage nor close it. */
    public static MySqlServer shared() {
        return Shared.SERVER;
    }

    /** The address for MySQL's driver. */
    public String url() {
        return "jdbc:mysql://" + container.getHost() + ":" + container.getMappedPort(MySQLContainer.MYSQL_PORT)
                + "/locks?user=root&password=" + container.getPassword()
                + "&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    /** Starts the server at its first use. The server ends soon after this JVM. */
    private static final class Shared {

        static final MySqlServer SERVER = new MySqlServer(start());

        private static MySQLContainer start() {
            MySQLContainer container = new MySQLContainer(DockerImageName.parse(TestImage.MYSQL.tag()))
                    .withDatabaseName("locks")
                    .withCommand("--max-connections=300");
            container.start();
            return container;
        }
    }
}

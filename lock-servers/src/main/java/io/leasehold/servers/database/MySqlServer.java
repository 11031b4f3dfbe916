package io.leasehold.servers.database;

import io.leasehold.servers.TestImage;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/** MySQL's own server, in a container, since it is to be had in no other way here. */
public final class MySqlServer {

    private final MySQLContainer container;

    private MySqlServer(MySQLContainer container) {
        this.container = container;
    }

    /**
     * A server for all tests of this JVM that do it no harm.
     *
     * @return the server, which nobody closes
     */
    public static MySqlServer shared() {
        return Shared.SERVER;
    }

    /** The address for MySQL's driver. */
    public String url() {
        return "jdbc:mysql://" + container.getHost() + ":" + container.getMappedPort(MySQLContainer.MYSQL_PORT)
                + "/locks?user=root&password=" + container.getPassword()
                + "&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    /** Started by the first test that asks for it; ends soon after this JVM. */
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

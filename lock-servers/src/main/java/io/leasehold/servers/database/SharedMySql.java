package io.leasehold.servers.database;

import io.leasehold.servers.TestImage;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * MySQL's own server that all tests of this JVM share: the program of {@code leasehold.mysql.program} if it is set, else a
 * container. Tests must neither damage nor close it.
 */
public final class SharedMySql {

    private static final String URL =
            MySqlServer.isThere() ? MySqlServer.shared().url() : ofContainer();

    private SharedMySql() {}

    /** The address for MySQL's driver. The first call starts the server. */
    public static String url() {
        return URL;
    }

    /** It ends soon after this JVM. */
    private static String ofContainer() {
        MySQLContainer container = new MySQLContainer(DockerImageName.parse(TestImage.MYSQL.tag()))
                .withDatabaseName("locks")
                .withCommand("--max-connections=300");
        container.start();
        return "jdbc:mysql://" + container.getHost() + ":" + container.getMappedPort(MySQLContainer.MYSQL_PORT)
                + "/locks?user=root&password=" + container.getPassword()
                + "&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }
}

package io.leasehold.servers.etcd;

import io.leasehold.servers.TestImage;
import java.net.URI;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** etcd in a container, one member. Its election timeout is that of {@link EtcdCluster#shared()}. */
final class EtcdContainer {

    private static final int PORT = 2379;

    private EtcdContainer() {}

    /** Starts a server that ends soon after this JVM. Returns the address for clients when the server answers. */
    static URI start() {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(TestImage.ETCD.tag()))
                .withCommand(
                        "etcd",
                        "--listen-client-urls=http://0.0.0.0:" + PORT,
                        "--advertise-client-urls=http://127.0.0.1:" + PORT,
                        "--log-level=warn",
                        "--heartbeat-interval=50",
                        "--election-timeout=500")
                .withExposedPorts(PORT)
                .waitingFor(Wait.forHttp("/health"));
        container.start();
        return URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT));
    }
}

package io.leasehold.servers.redis;

import io.leasehold.servers.TestImage;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A server with the protocol of Redis in a container. */
public final class RedisContainer implements AutoCloseable {

    private static final int PORT = 6379;

    private final GenericContainer<?> container;

    private RedisContainer(GenericContainer<?> container) {
        this.container = container;
    }

    /**
     * Starts a server without persistence.
     *
     * @param image {@link TestImage#REDIS} or {@link TestImage#VALKEY}
     * @return the server, ready to answer; it ends when it is closed, and otherwise soon after this JVM
     */
    public static RedisContainer start(TestImage image) {
        GenericContainer<?> container =
                new GenericContainer<>(DockerImageName.parse(image.tag())).withExposedPorts(PORT);
        container.start();
        return new RedisContainer(container);
    }

    /** The address of the engine. */
    public String host() {
        return container.getHost();
    }

    /** The port at the engine. */
    public int port() {
        return container.getMappedPort(PORT);
    }

    @Override
    public void close() {
        container.stop();
    }
}

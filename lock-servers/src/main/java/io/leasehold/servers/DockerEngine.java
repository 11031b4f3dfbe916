package io.leasehold.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.DockerClientFactory;

/** Whether tests can run containers. {@code -Dleasehold.docker=false} disables them. */
public final class DockerEngine {

    private static final Path SOCKET = Path.of("/var/run/docker.sock");

    private DockerEngine() {}

    /** Calls Testcontainers only if there may be an engine, because Testcontainers logs an error if it finds none. */
    public static boolean isThere() {
        return !"false".equals(System.getProperty("leasehold.docker"))
                && (System.getenv("DOCKER_HOST") != null || Files.exists(SOCKET))
                && DockerClientFactory.instance().isDockerAvailable();
    }
}

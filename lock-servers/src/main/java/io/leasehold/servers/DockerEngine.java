package io.leasehold.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.DockerClientFactory;

/** Whether tests can run containers. {@code -Dleasehold.docker=false} tells them not to. */
public final class DockerEngine {

    private static final Path SOCKET = Path.of("/var/run/docker.sock");

    private DockerEngine() {}

    /** Asks Testcontainers only where an engine may be, since it logs an error if it finds none. */
    public static boolean isThere() {
        return !"false".equals(System.getProperty("leasehold.docker"))
                && (System.getenv("DOCKER_HOST") != null || Files.exists(SOCKET))
                && DockerClientFactory.instance().isDockerAvailable();
    }
}

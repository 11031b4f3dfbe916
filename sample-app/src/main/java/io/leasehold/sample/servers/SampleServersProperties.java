package io.leasehold.sample.servers;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The servers that the sample starts by itself.
 *
 * @param directory Where instances find each other. By default a directory of the user in the temporary directory.
 * @param linger How long the servers wait for a next instance when the last one was killed.
 * @param locks Where the locks are. The sample starts 'redis', 'redlock' and 'cluster'; any other word is a store that
 *     is there already. Instances with another word have a directory, a server host and a database of their own.
 */
@ConfigurationProperties("sample.servers")
record SampleServersProperties(
        @Nullable Path directory,
        @DefaultValue("60s") Duration linger,
        @DefaultValue(REDIS) String locks) {

    static final String REDIS = "redis";

    Path directoryOrDefault() {
        Path base = directory != null
                ? directory
                : Path.of(System.getProperty("java.io.tmpdir"), "leasehold-sample-" + System.getProperty("user.name"));
        return locks.equals(REDIS) ? base : base.resolveSibling(base.getFileName() + "-" + locks);
    }
}

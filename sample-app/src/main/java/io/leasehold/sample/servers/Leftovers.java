package io.leasehold.sample.servers;

import java.io.IOException;
import java.nio.file.Path;
import org.springframework.util.FileSystemUtils;

/** What keepers that were killed have left: their redis-servers run on, in sessions of their own. */
final class Leftovers {

    private Leftovers() {}

    static void remove(ServersDirectory directory, Path currentRun) throws IOException {
        for (Path run : directory.runs().toList()) {
            if (!run.equals(currentRun)) {
                RedisServer.find(run).forEach(RedisServer::stop);
                FileSystemUtils.deleteRecursively(run);
            }
        }
    }
}

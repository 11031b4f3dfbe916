package io.leasehold.sample.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers, as an instance that uses them sees them. They run while its connection to the server host is open. The
 * connection ends with this process, in whatever way this process ends.
 */
public final class SampleServers implements AutoCloseable {

    static final String LEAVE = "leave";

    private static final Logger log = LoggerFactory.getLogger(SampleServers.class);

    private final Socket connection;

    private final JoinReply reply;

    private final String secret;

    SampleServers(Socket connection, JoinReply reply, String secret) {
        this.connection = connection;
        this.reply = reply;
        this.secret = secret;
    }

    /**
     * This instance's index among those that run: 0 for the first.
     *
     * @return the lowest number that no other instance has
     */
    public int index() {
        return reply.index();
    }

    /** Where each redis-server listens; none if they were not asked for. */
    List<Integer> redisPorts() {
        return reply.redisPorts();
    }

    int databasePort() {
        return reply.databasePort();
    }

    String secret() {
        return secret;
    }

    /** Leaves; the servers stop if no other instance uses them. */
    @Override
    public void close() {
        try (connection) {
            OutputStream out = connection.getOutputStream();
            out.write((LEAVE + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException ex) {
            log.debug("The servers had ended before", ex);
        }
    }
}

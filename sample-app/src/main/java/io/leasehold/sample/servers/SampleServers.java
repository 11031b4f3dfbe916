package io.leasehold.sample.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers, as seen by an instance that has joined them. The open connection is what keeps them: it ends with this
 * process however this process ends.
 */
public final class SampleServers implements AutoCloseable {

    static final String GOODBYE = "bye";

    private static final Logger log = LoggerFactory.getLogger(SampleServers.class);

    private final Socket presence;

    private final Welcome welcome;

    private final String secret;

    SampleServers(Socket presence, Welcome welcome, String secret) {
        this.presence = presence;
        this.welcome = welcome;
        this.secret = secret;
    }

    /**
     * This instance's place among those that run: 0 for the first.
     *
     * @return the lowest number that no other instance has
     */
    public int place() {
        return welcome.place();
    }

    /** Where each redis-server listens; none if they were not asked for. */
    List<Integer> redisPorts() {
        return welcome.redisPorts();
    }

    int databasePort() {
        return welcome.databasePort();
    }

    String secret() {
        return secret;
    }

    /** Leaves; the servers stop if no other instance uses them. */
    @Override
    public void close() {
        try (presence) {
            OutputStream out = presence.getOutputStream();
            out.write((GOODBYE + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException ex) {
            log.debug("The servers had ended before", ex);
        }
    }
}

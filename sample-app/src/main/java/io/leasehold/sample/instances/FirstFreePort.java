package io.leasehold.sample.instances;

import io.leasehold.sample.servers.SampleServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;

/**
 * Gives every instance a port without configuration: the first 8080, the second 8081, or the next that is free. Not if
 * {@code server.port} is set.
 */
@Component
@ConditionalOnProperty(name = "server.port", matchIfMissing = true, havingValue = "none")
class FirstFreePort implements WebServerFactoryCustomizer<ConfigurableWebServerFactory>, Ordered {

    private static final int FIRST = 8080;

    private static final int LAST = 8180;

    private final int index;

    FirstFreePort(ObjectProvider<SampleServers> servers) {
        this.index = servers.stream().mapToInt(SampleServers::index).findAny().orElse(0);
    }

    @Override
    public void customize(ConfigurableWebServerFactory factory) {
        int port = IntStream.rangeClosed(FIRST + index, LAST)
                .filter(FirstFreePort::isFree)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "No port from " + FIRST + " to " + LAST + " is free. Set 'server.port' to another"));
        factory.setPort(port);
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress("127.0.0.1", port));
            return true;
        } catch (IOException ex) {
            return false;
        }
    }
}

package io.leasehold.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback interface that nobody listens on. */
public final class FreePort {

    /** Redis Cluster adds 10,000 for its bus. */
    private static final int HIGHEST = 55_000;

    private FreePort() {}

    /**
     * Finds a free port that leaves room for a second one 10,000 above.
     *
     * @return the port
     */
    public static int find() {
        List<ServerSocket> tooHigh = new ArrayList<>();
        try {
            while (true) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                if (socket.getLocalPort() <= HIGHEST) {
                    socket.close();
                    return socket.getLocalPort();
                }
                tooHigh.add(socket);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } finally {
            tooHigh.forEach(FreePort::close);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}

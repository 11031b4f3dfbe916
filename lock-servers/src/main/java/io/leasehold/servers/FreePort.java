package io.leasehold.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of the loopback interface. They are outside the range that the system uses for outgoing connections, so no
 * client takes the port of a server that starts or restarts on it. If that range leaves fewer than 20,000 ports free,
 * ports may fall back into it, and a client may then take one. Another process may take the port as well; in both cases
 * the caller tries another one.
 */
public final class FreePort {

    private static final int LOWEST = 11_000;

    /** Redis Cluster adds 10,000 to a port for its bus. */
    private static final int BUS = 10_000;

    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(BUS));

    private static final int FIRST = first(ephemeral());

    private FreePort() {}

    /**
     * Finds a free port whose number plus 10,000 is free as well. Each call returns another port until all ports of the
     * range were returned.
     */
    public static int find() {
        for (int i = 0; i < BUS; i++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), BUS);
            if (isFree(port) && isFree(port + BUS)) {
                return port;
            }
        }
        throw new IllegalStateException("no port is free between " + FIRST + " and " + (FIRST + BUS));
    }

    /**
     * Returns the first of 20,000 ports outside the range of outgoing connections, or {@value #LOWEST} if there are not
     * so many.
     */
    static int first(String ephemeral) {
        String[] range = ephemeral.trim().split("\\s+");
        int lowest = Integer.parseInt(range[0]);
        int highest = Integer.parseInt(range[1]);
        return lowest < LOWEST + 2 * BUS && highest + 2 * BUS < 65_536 ? highest + 1 : LOWEST;
    }

    private static String ephemeral() {
        // read in one call: a second read of a setting returns nothing
        try (BufferedReader setting = Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
            return setting.readLine();
        } catch (IOException notLinux) {
            return "49152 65535";
        }
    }

    /** Whether no process listens on a port at the moment. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

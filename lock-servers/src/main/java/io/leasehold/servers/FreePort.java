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
 * Ports of the loopback interface that nobody listens on. They are none of those that the system gives to outgoing
 * connections, so no client takes the port of a server that starts, or starts again, on it. Another process may; who starts
 * a server tries another port then.
 */
public final class FreePort {

    private static final int LOWEST = 11_000;

    /** Redis Cluster adds 10,000 for its bus. */
    private static final int BUS = 10_000;

    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(BUS));

    private static final int FIRST = first(ephemeral());

    private FreePort() {}

    /**
     * Finds a free port that leaves room for a second one 10,000 above. It is another one each time, until all have been
     * had.
     *
     * @return the port
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

    /** Where 20,000 ports begin that outgoing connections do not get; the usual ones if there are not so many. */
    static int first(String ephemeral) {
        String[] range = ephemeral.trim().split("\\s+");
        int lowest = Integer.parseInt(range[0]);
        int highest = Integer.parseInt(range[1]);
        return lowest < LOWEST + 2 * BUS && highest + 2 * BUS < 65_536 ? highest + 1 : LOWEST;
    }

    private static String ephemeral() {
        // in one piece: a setting's second piece is empty
        try (BufferedReader setting = Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
            return setting.readLine();
        } catch (IOException notLinux) {
            return "49152 65535";
        }
    }

    /** Whether nothing listens on a port at the moment. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

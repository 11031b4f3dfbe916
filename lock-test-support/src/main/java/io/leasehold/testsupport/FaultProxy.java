package io.leasehold.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback interface with the faults of a network. The mode may change at any time and applies to
 * all connections, see {@link FaultMode}. The proxy either delivers all bytes of a connection in their order or cuts
 * the connection. It never drops some of them: no network does that, and a protocol could prove nothing after it.
 */
public final class FaultProxy implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";

    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

    private final AtomicInteger accepted = new AtomicInteger();

    private final AtomicInteger roundTrips = new AtomicInteger();

    private final FaultGate gate = new FaultGate();

    private volatile int targetPort;

    /**
     * Keeps the port bound while the proxy exists, even if the proxy does not listen, so that no other program gets it.
     */
    private final Socket placeholder = boundSomewhere();

    private final int port = placeholder.getLocalPort();

    private @Nullable ServerSocket listener;

    private @Nullable Thread acceptor;

    /** Starts a proxy that forwards everything to a port of the loopback interface. */
    public FaultProxy(int targetPort) {
        this.targetPort = targetPort;
        listen();
    }

    /** The port for clients, on the loopback interface. */
    public int port() {
        return port;
    }

    /** The current mode. */
    public FaultMode mode() {
        return gate.mode();
    }

    /** Heals the proxy: delivers the held bytes and accepts new connections. */
    public void pass() {
        set(FaultMode.PASS);
    }

    /** Forwards everything with a delay in each direction. */
    public void delay(Duration delay) {
        set(FaultMode.DELAY, delay);
    }

    /** Changes to any mode but {@link FaultMode#DELAY}, which needs a duration. */
    public void set(FaultMode mode) {
        if (mode == FaultMode.DELAY) {
            throw new IllegalArgumentException("'mode' DELAY needs a duration: use delay(Duration)");
        }
        set(mode, Duration.ZERO);
    }

    /** Loses the next answer of the server, on any connection, and forwards everything after it. */
    public void loseNextReply() {
        pass();
        gate.loseNextReply();
    }

    /**
     * Forwards everything up to the middle of the next answer of the server, on any connection. The given mode applies
     * to the rest of that answer and to everything after it.
     *
     * @param then the mode from then on; not {@link FaultMode#DELAY}. {@link FaultMode#REFUSE} only cuts, so the caller
     *     has to set it again
     */
    public void strikeInsideNextReply(FaultMode then) {
        pass();
        gate.strikeInsideNextReply(then);
    }

    /** Forwards new connections to another port of the loopback interface. Open connections stay where they are. */
    public void redirect(int targetPort) {
        this.targetPort = targetPort;
    }

    /** Cuts the open connections and keeps the mode. */
    public void cut() {
        connections.forEach(ProxiedConnection::cut);
    }

    /** The number of open connections. */
    public int connections() {
        return connections.size();
    }

    /** The number of connections accepted since the start. */
    public int accepted() {
        return accepted.get();
    }

    /**
     * The number of replies since the start that were the first after a request, over all connections. Requests that a
     * connection carries at the same time count as one round trip. A message that the server sends unasked does not
     * count.
     */
    public int roundTrips() {
        return roundTrips.get();
    }

    /** The number of answers of the server that were lost since the start. */
    public int lostReplies() {
        return gate.lostReplies();
    }

    /** The number of directions of connections in which bytes are held at the moment. */
    public int held() {
        return gate.held();
    }

    /** Cuts all connections and stops all threads. */
    @Override
    public synchronized void close() {
        stopListening();
        close(placeholder);
        gate.set(FaultMode.RESET, Duration.ZERO);
        Set<ProxiedConnection> open = Set.copyOf(connections);
        open.forEach(ProxiedConnection::cut);
        try {
            for (ProxiedConnection connection : open) {
                connection.awaitEnd();
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void set(FaultMode mode, Duration delay) {
        if (mode == FaultMode.REFUSE) {
            stopListening();
        }
        gate.set(mode, delay);
        if (cutsConnections()) {
            cut();
        }
        if (mode != FaultMode.REFUSE && listener == null) {
            listen();
        }
    }

    private boolean cutsConnections() {
        FaultMode mode = gate.mode();
        return mode == FaultMode.RESET || mode == FaultMode.REFUSE;
    }

    private static Socket boundSomewhere() {
        try {
            Socket socket = new Socket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(LOOPBACK, 0));
            return socket;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void listen() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(LOOPBACK, port));
            Thread thread = new Thread(() -> accept(socket), "fault-proxy-" + port);
            thread.setDaemon(true);
            thread.start();
            listener = socket;
            acceptor = thread;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void stopListening() {
        ServerSocket socket = listener;
        Thread thread = acceptor;
        if (socket == null || thread == null) {
            return;
        }
        listener = null;
        acceptor = null;
        try {
            socket.close();
            thread.join();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void accept(ServerSocket socket) {
        while (true) {
            try {
                connect(socket.accept());
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        int number = accepted.incrementAndGet();
        if (cutsConnections()) {
            ProxiedConnection.reset(client);
            return;
        }
        try {
            client.setTcpNoDelay(true);
            Socket server = new Socket(LOOPBACK, targetPort);
            server.setTcpNoDelay(true);
            String name = "fault-proxy-" + port + "-" + number;
            ProxiedConnection[] self = new ProxiedConnection[1];
            ProxiedConnection connection =
                    new ProxiedConnection(client, server, gate, name, roundTrips, () -> connections.remove(self[0]));
            self[0] = connection;
            connections.add(connection);
            connection.start();
            if (cutsConnections()) {
                connection.cut();
            }
        } catch (IOException serverIsDown) {
            ProxiedConnection.reset(client);
        }
    }
}

package io.leasehold.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client's connection through a {@link FaultProxy}. In each direction, one thread reads and another one writes, so
 * that held bytes do not delay the arrival of later ones. Bytes that a client has sent are delivered even if the client
 * has disconnected since, as in a network.
 */
final class ProxiedConnection {

    private static final int DIRECTIONS = 2;

    private static final int THREADS = 4;

    private final Socket client;

    private final Socket server;

    private final FaultGate gate;

    private final AtomicInteger roundTrips;

    private final Runnable onEnd;

    /** Whether the client has sent bytes since the last reply. */
    private volatile boolean asked;

    private final Thread[] threads;

    private final AtomicInteger endedDirections = new AtomicInteger();

    private final AtomicInteger endedThreads = new AtomicInteger();

    ProxiedConnection(
            Socket client, Socket server, FaultGate gate, String name, AtomicInteger roundTrips, Runnable onEnd) {
        this.client = client;
        this.server = server;
        this.gate = gate;
        this.roundTrips = roundTrips;
        this.onEnd = onEnd;
        BlockingQueue<Chunk> requests = new LinkedBlockingQueue<>();
        BlockingQueue<Chunk> replies = new LinkedBlockingQueue<>();
        this.threads = new Thread[] {
            thread(name + "-requests-in", () -> read(client, requests, false)),
            thread(name + "-requests-out", () -> write(server, requests)),
            thread(name + "-replies-in", () -> read(server, replies, true)),
            thread(name + "-replies-out", () -> write(client, replies))
        };
    }

    void start() {
        for (Thread thread : threads) {
            thread.start();
        }
    }

    /** Closes both sides immediately. The client sees a reset. */
    void cut() {
        reset(client);
        close(server);
        for (Thread thread : threads) {
            thread.interrupt();
        }
    }

    void awaitEnd() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException closedAlready) {
            return;
        }
        close(socket);
    }

    private Thread thread(String name, Runnable body) {
        Thread thread = new Thread(
                () -> {
                    body.run();
                    if (endedThreads.incrementAndGet() == THREADS) {
                        onEnd.run();
                    }
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    private void read(Socket from, BlockingQueue<Chunk> queue, boolean reply) {
        byte[] buffer = new byte[16_384];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                countRoundTrip(reply);
                queue.add(new Chunk(Arrays.copyOf(buffer, count), reply, System.nanoTime()));
            }
        } catch (IOException broken) {
            // the end of the stream is forwarded like any other
        }
        queue.add(new Chunk(new byte[0], reply, System.nanoTime()));
    }

    private void countRoundTrip(boolean reply) {
        if (!reply) {
            asked = true;
        } else if (asked) {
            asked = false;
            roundTrips.incrementAndGet();
        }
    }

    private void write(Socket to, BlockingQueue<Chunk> queue) {
        try {
            while (true) {
                Chunk chunk = queue.take();
                int passes = gate.passesBeforeStrike(chunk);
                if (passes > 0) {
                    to.getOutputStream().write(chunk.first(passes).bytes());
                    chunk = chunk.withoutFirst(passes);
                }
                if (!gate.admit(chunk)) {
                    cut();
                    return;
                }
                if (chunk.isEnd()) {
                    to.shutdownOutput();
                    break;
                }
                to.getOutputStream().write(chunk.bytes());
            }
        } catch (IOException broken) {
            cut();
        } catch (InterruptedException cut) {
            return;
        }
        if (endedDirections.incrementAndGet() == DIRECTIONS) {
            close(client);
            close(server);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // nothing is left to close
        }
    }
}

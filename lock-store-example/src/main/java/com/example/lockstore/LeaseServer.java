package com.example.lockstore;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Serves a {@link LeaseMap} on a free port of the loopback interface, with one thread for each connection. */
public final class LeaseServer implements AutoCloseable {

    private final LeaseMap leases = new LeaseMap();

    private final ServerSocket socket;

    private LeaseServer(ServerSocket socket) {
        this.socket = socket;
    }

    /** Starts a server without leases. */
    public static LeaseServer start() {
        try {
            LeaseServer server = new LeaseServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            startThread("lease-server", server::accept);
            return server;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the port to which clients connect. */
    public int port() {
        return socket.getLocalPort();
    }

    /** Removes all leases. */
    public void clear() {
        leases.clear();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                startThread("lease-server-connection", () -> serve(client));
            } catch (IOException ex) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader requests = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
                OutputStream answers = client.getOutputStream()) {
            for (String request = requests.readLine(); request != null; request = requests.readLine()) {
                answers.write((leases.answer(request) + "\n").getBytes(UTF_8));
                answers.flush();
            }
        } catch (IOException ex) {
            // the client has disconnected; its leases expire after their ttl
        }
    }

    private static void startThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}

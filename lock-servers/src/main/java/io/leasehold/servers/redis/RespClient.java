package io.leasehold.servers.redis;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One plain connection to a Redis server. It has no pool, no reconnect and no retry, so tests of fixtures and proxies
 * see every effect.
 */
public final class RespClient implements AutoCloseable {

    private final Socket socket;

    private final InputStream in;

    /**
     * Connects.
     *
     * @param port the port on the loopback interface
     * @param timeoutMillis how long connecting and each answer may take
     * @throws IOException if the connection fails
     */
    public RespClient(int port, int timeoutMillis) throws IOException {
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeoutMillis);
            socket.connect(new InetSocketAddress("127.0.0.1", port), timeoutMillis);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException ex) {
            socket.close();
            throw ex;
        }
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param command the command's name and arguments
     * @return a string, a {@code Long}, a list of such, or {@code null}; an error as a string that begins with a hyphen
     * @throws IOException if the connection breaks or the answer takes too long
     */
    public @Nullable Object command(String... command) throws IOException {
        send(command);
        return receive();
    }

    /** Sends a command, and does not wait for its answer. */
    public void send(String... command) throws IOException {
        StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
        for (String part : command) {
            int bytes = part.getBytes(StandardCharsets.UTF_8).length;
            request.append('$').append(bytes).append("\r\n").append(part).append("\r\n");
        }
        OutputStream out = socket.getOutputStream();
        out.write(request.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Waits for an answer, as {@link #command} does. */
    public @Nullable Object receive() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> line;
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("not an answer of Redis: " + line);
        };
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(receive());
        }
        return list;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}

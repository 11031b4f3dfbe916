package io.leasehold.backend.redis;

import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;

/**
 * A connection on which the thread that has a question sends it and waits for the answer itself. That spares the two
 * changes of threads that a shared connection needs each way, which cost more than all that Redis does for a lock.
 * Lettuce's own classes write the commands and read the answers. For one thread at a time.
 */
final class DirectConnection implements AutoCloseable {

    private static final int CONNECT_MILLIS = (int) LockClientSettings.CONNECT_TIMEOUT.toMillis();

    private static final int LOOK_UP_MILLIS = 5;

    private static final int BUFFER = 512;

    private final Socket socket;

    private final RedisStateMachine protocol = new RedisStateMachine();

    private final ByteBuf outgoing = Unpooled.buffer(BUFFER);

    private final ByteBuf incoming = Unpooled.buffer(BUFFER);

    private long lastUsed;

    private DirectConnection(Socket socket) {
        this.socket = socket;
        protocol.setProtocolVersion(ProtocolVersion.RESP2);
    }

    /** Connects; nobody is logged in yet. */
    static DirectConnection to(SocketAddress server) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoLinger(true, 0);
            socket.setSoTimeout(LOOK_UP_MILLIS);
            socket.connect(server, CONNECT_MILLIS);
        } catch (IOException ex) {
            socket.close();
            throw ex;
        }
        return new DirectConnection(socket);
    }

    /**
     * Sends commands and waits until all are answered; they have their outputs then, but are not completed.
     *
     * @param commands what to send
     * @param longest how long to wait
     * @param endsWithInterrupt whether to give up when the thread is interrupted and there is no answer yet
     * @throws IOException if not all were answered; the connection is of no use any more
     */
    void exchange(List<? extends RedisCommand<byte[], byte[], ?>> commands, Duration longest, boolean endsWithInterrupt)
            throws IOException {
        outgoing.clear();
        for (RedisCommand<byte[], byte[], ?> command : commands) {
            command.encode(outgoing);
        }
        outgoing.readBytes(socket.getOutputStream(), outgoing.readableBytes());
        long looks = longest.toMillis() / LOOK_UP_MILLIS;
        incoming.clear();
        for (RedisCommand<byte[], byte[], ?> command : commands) {
            while (!protocol.decode(incoming, command.getOutput())) {
                looks = receive(looks, endsWithInterrupt);
            }
        }
        if (incoming.isReadable()) {
            throw new IOException("more was received than asked for");
        }
    }

    long lastUsed() {
        return lastUsed;
    }

    void usedAt(long nanoTime) {
        lastUsed = nanoTime;
    }

    /** Closes it at once: what has not been sent by now never is. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ex) {
            return;
        }
    }

    private long receive(long looks, boolean endsWithInterrupt) throws IOException {
        for (long left = looks; ; left--) {
            try {
                if (incoming.writeBytes(socket.getInputStream(), Math.max(BUFFER, incoming.writableBytes())) < 0) {
                    throw new EOFException("closed by the server");
                }
                return left;
            } catch (SocketTimeoutException ex) {
                if (left <= 0) {
                    throw ex;
                }
                if (endsWithInterrupt && Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
            }
        }
    }
}

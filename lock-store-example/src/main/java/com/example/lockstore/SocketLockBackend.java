package com.example.lockstore;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps leases in a {@link LeaseServer}. Its client blocks, so all calls run on one separate thread. A failed
 * or silent connection is closed, because a late answer on it would be mistaken for the answer to the next request. The server
 * may have executed the failed request.
 */
public final class SocketLockBackend implements LockBackend {

    private static final int LONGEST_SILENCE_MILLIS = 1_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread worker = new Thread(task, "socket-lock-backend");
        worker.setDaemon(true);
        return worker;
    });

    private final int port;

    private @Nullable Connection connection;

    /** Creates a backend. It connects at its first operation. */
    public SocketLockBackend(int port) {
        this.port = port;
    }

    @Override
    public CompletionStage<Void> connect() {
        return onThread(() -> {
            open();
            return null;
        });
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        String request =
                request("ACQUIRE", command.id(), command.token(), command.ttl()) + " " + command.fencingTokens();
        return ask(request, SocketLockBackend::granted);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        List<CompletableFuture<RenewAnswer>> answers = commands.stream()
                .map(command -> ask(
                        request("RENEW", command.id(), command.token(), command.ttl()),
                        answer -> answer.equals("YES") ? RenewAnswer.RENEWED : RenewAnswer.NOT_OWNER))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return ask(
                request("RELEASE", command.id(), command.token(), command.retainFor()),
                answer -> answer.equals("YES") ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER);
    }

    @Override
    public void close() {
        try {
            thread.execute(this::disconnect);
        } catch (RejectedExecutionException ex) {
            return; // the backend is already closed
        }
        thread.shutdown();
    }

    private <T> CompletableFuture<T> ask(String request, Function<String, T> reader) {
        return onThread(() -> reader.apply(exchange(request)));
    }

    private <T extends @Nullable Object> CompletableFuture<T> onThread(Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call, thread);
        } catch (RejectedExecutionException ex) {
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the backend is closed", ex));
        }
    }

    private String exchange(String request) {
        Connection open = open();
        try {
            return open.exchange(request);
        } catch (IOException ex) {
            disconnect();
            throw new BackendFailure(Effect.UNKNOWN, "no answer from port " + port, ex);
        }
    }

    private Connection open() {
        Connection open = connection;
        if (open == null) {
            try {
                open = new Connection(port);
            } catch (IOException ex) {
                throw new BackendFailure(Effect.NOT_DONE, "no connection to port " + port, ex);
            }
            connection = open;
        }
        return open;
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    private static AcquireAnswer granted(String answer) {
        String[] words = answer.split(" ");
        long number = Long.parseLong(words[1]);
        return words[0].equals("GRANTED")
                ? new AcquireAnswer.Granted(number)
                : new AcquireAnswer.Busy(Duration.ofMillis(number));
    }

    /** Formats a request. The id is encoded in Base64, because keys may contain spaces. */
    private static String request(String verb, LockId id, Token token, Duration duration) {
        String encoded = Base64.getUrlEncoder().encodeToString(id.bytes());
        return verb + " " + encoded + " " + token.value() + " " + duration.toMillis();
    }

    private static final class Connection {

        private final Socket socket;

        private final BufferedReader answers;

        private final OutputStream requests;

        Connection(int port) throws IOException {
            socket = new Socket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LONGEST_SILENCE_MILLIS);
            // without it, a server that vanishes would block the one thread, and so all locks, for ever
            socket.setSoTimeout(LONGEST_SILENCE_MILLIS);
            socket.setTcpNoDelay(true);
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            requests = socket.getOutputStream();
        }

        String exchange(String request) throws IOException {
            requests.write((request + "\n").getBytes(UTF_8));
            requests.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("the server closed the connection");
            }
            return answer;
        }

        void close() {
            try {
                socket.close();
            } catch (IOException ex) {
                // the connection is no longer used
            }
        }
    }
}

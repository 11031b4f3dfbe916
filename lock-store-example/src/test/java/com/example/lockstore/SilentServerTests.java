package com.example.lockstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that takes connections and answers nothing, as one behind a network that drops packets. */
class SilentServerTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void eachCallFailsAndNoneWaitsForThoseBefore() throws Exception {
        AcquireCommand command =
                new AcquireCommand(LockId.of("deploy", "shop"), new Token(1, 1), Duration.ofSeconds(10), 1, false);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                SocketLockBackend backend = new SocketLockBackend(silent.getLocalPort())) {
            for (int call = 0; call < 2; call++) {
                assertThat(backend.acquire(command))
                        .failsWithin(SOON)
                        .withThrowableThat()
                        .withCauseInstanceOf(BackendFailure.class);
            }
        }
    }
}

package io.leasehold.testsupport;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.redis.RedisServer;
import io.leasehold.servers.redis.RespClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each mode of the proxy, in front of a real Redis. */
class FaultProxyTests {

    private final RedisServer redis = RedisServer.shared();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        proxy.close();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("fault-proxy-" + proxy.port())));
    }

    @Test
    void passDeliversAllBytes() throws IOException {
        try (RespClient client = connect()) {
            assertThat(client.command("SET", "k", "v".repeat(1 << 20))).isEqualTo("OK");
            assertThat(client.command("GET", "k")).isEqualTo("v".repeat(1 << 20));
        }
        await().atMost(5, SECONDS).until(() -> proxy.connections() == 0);
    }

    @Test
    void stallHoldsRequestsAndDeliversThemLater() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.set(FaultMode.STALL);
            client.send("SET", "k", "v");
            await().atMost(5, SECONDS).until(() -> proxy.held() == 1);
            assertThat(redis.command("GET", "k")).isNull();
            proxy.pass();
            assertThat(client.receive()).isEqualTo("OK");
            assertThat(redis.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aHeldRequestArrivesEvenIfItsClientHasDisconnected() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.set(FaultMode.STALL);
            client.send("SET", "k", "v");
            await().atMost(5, SECONDS).until(() -> proxy.held() == 1);
        }
        proxy.pass();
        await().atMost(5, SECONDS).until(() -> "v".equals(redis.command("GET", "k")));
    }

    @Test
    void stallRequestsForwardsAnswers() throws IOException {
        try (RespClient subscriber = connect();
                RespClient client = connect()) {
            subscriber.command("SUBSCRIBE", "c");
            proxy.set(FaultMode.STALL_REQUESTS);
            client.send("SET", "k", "v");
            redis.command("PUBLISH", "c", "news");
            assertThat(subscriber.receive().toString()).contains("news");
            assertThat(redis.command("GET", "k")).isNull();
            proxy.pass();
            assertThat(client.receive()).isEqualTo("OK");
        }
    }

    @Test
    void stallRepliesForwardsRequests() throws IOException {
        try (RespClient client = connect()) {
            proxy.set(FaultMode.STALL_REPLIES);
            client.send("SET", "k", "v");
            await().atMost(5, SECONDS).until(() -> proxy.held() == 1);
            assertThat(redis.command("GET", "k")).isEqualTo("v");
            proxy.pass();
            assertThat(client.receive()).isEqualTo("OK");
        }
    }

    @Test
    void aStalledConnectionIsNotReset() throws IOException {
        try (RespClient client = new RespClient(proxy.port(), 200)) {
            proxy.set(FaultMode.STALL);
            assertThatThrownBy(() -> client.command("PING")).isInstanceOf(SocketTimeoutException.class);
            assertThat(proxy.connections()).isEqualTo(1);
        }
    }

    @Test
    void loseReplyExecutesTheRequestAndCutsTheConnection() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.set(FaultMode.LOSE_REPLY);
            assertCut(() -> client.command("SET", "k", "v"));
        }
        assertThat(redis.command("GET", "k")).isEqualTo("v");
        assertThat(proxy.lostReplies()).isEqualTo(1);
        try (RespClient next = connect()) {
            assertCut(() -> next.command("PING"));
        }
    }

    @Test
    void loseNextReplyLosesOne() throws IOException {
        try (RespClient client = connect()) {
            proxy.loseNextReply();
            assertCut(() -> client.command("SET", "k", "v"));
        }
        try (RespClient next = connect()) {
            assertThat(next.command("GET", "k")).isEqualTo("v");
        }
        assertThat(proxy.lostReplies()).isEqualTo(1);
    }

    @Test
    void delayDeliversLaterAndInOrder() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.delay(Duration.ofMillis(150));
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                client.send("INCR", "n");
            }
            for (long i = 1; i <= 20; i++) {
                assertThat(client.receive()).isEqualTo(i);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(300), Duration.ofMillis(2_500));
        }
    }

    /** Repeated, because a busy machine may be late with one round trip. */
    @Test
    void aDelayBelowAMillisecondIsNotRoundedUp() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.delay(Duration.ofNanos(250_000));
            await().atMost(20, SECONDS).pollInterval(Duration.ofMillis(1)).until(() -> {
                long start = System.nanoTime();
                client.command("PING");
                return System.nanoTime() - start < 1_500_000;
            });
        }
    }

    @Test
    void resetCutsOldAndNewConnections() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.set(FaultMode.RESET);
            assertCut(() -> client.command("PING"));
        }
        assertCut(() -> {
            try (RespClient next = connect()) {
                next.command("PING");
            }
        });
        proxy.pass();
        assertAnswers();
    }

    @Test
    void anAnswerStopsInTheMiddle() throws IOException {
        redis.command("SET", "k", "v".repeat(1000));
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.strikeInsideNextReply(FaultMode.STALL_REPLIES);
            client.send("GET", "k");
            await().atMost(5, SECONDS).until(() -> proxy.held() == 1);
            assertThat(proxy.mode()).isEqualTo(FaultMode.STALL_REPLIES);
            proxy.pass();
            assertThat(client.receive()).isEqualTo("v".repeat(1000));
            proxy.strikeInsideNextReply(FaultMode.RESET);
            assertCut(() -> client.command("GET", "k"));
        }
    }

    @Test
    void resetDropsHeldBytes() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.set(FaultMode.STALL);
            client.send("SET", "k", "v");
            await().atMost(5, SECONDS).until(() -> proxy.held() == 1);
            proxy.set(FaultMode.RESET);
        }
        await().atMost(5, SECONDS).until(() -> proxy.connections() == 0);
        assertThat(redis.command("GET", "k")).isNull();
    }

    @Test
    void cutDoesNotAffectNewConnections() throws IOException {
        try (RespClient client = connect()) {
            client.command("PING");
            proxy.cut();
            assertCut(() -> client.command("PING"));
        }
        assertAnswers();
    }

    @Test
    void refuseClosesThePortUntilItHeals() throws IOException {
        RespClient client = connect();
        client.command("PING");
        proxy.set(FaultMode.REFUSE);
        assertCut(() -> client.command("PING"));
        client.close();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        }
        proxy.pass();
        assertAnswers();
        proxy.set(FaultMode.REFUSE);
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void clientsOfTheProxySeeThatTheServerIsDead() throws IOException {
        try (RedisServer dying = RedisServer.start();
                FaultProxy inFront = new FaultProxy(dying.port());
                RespClient client = new RespClient(inFront.port(), 5_000)) {
            assertThat(client.command("PING")).isEqualTo("PONG");
            dying.kill();
            assertCut(() -> client.command("PING"));
            dying.restart();
            try (RespClient next = new RespClient(inFront.port(), 5_000)) {
                assertThat(next.command("PING")).isEqualTo("PONG");
            }
        }
    }

    private RespClient connect() throws IOException {
        return new RespClient(proxy.port(), 5_000);
    }

    private void assertAnswers() throws IOException {
        try (RespClient client = connect()) {
            assertThat(client.command("PING")).isEqualTo("PONG");
        }
    }

    private static void assertCut(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfAny(SocketException.class, EOFException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
    }
}

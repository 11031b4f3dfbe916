package io.leasehold.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.RedisServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many direct connections there are, and who gets one. */
class DirectConnectionsTests {

    private static final int MOST = 2;

    private final FaultProxy proxy = new FaultProxy(RedisServer.shared().port());

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1);

    private final AtomicInteger attempts = new AtomicInteger();

    private boolean broken;

    private final DirectConnections directs = new DirectConnections(MOST, this::open, nanoTime::get);

    @AfterEach
    void close() {
        directs.close();
        proxy.close();
    }

    @Test
    void oneIsOpenedWhenCallersHaveMissedItOften() {
        miss(31);
        assertThat(attempts).hasValue(0);
        miss(1);
        take();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void oneThatIsInUseIsNotGivenToAnother() {
        miss(32);
        DirectConnection first = take();
        assertThat(directs.take(call(Duration.ofSeconds(1)))).isNull();
        directs.giveBack(first);
        assertThat(take()).isSameAs(first);
    }

    @Test
    void thereAreNoMoreThanAllowedAndACrowdGoesElsewhereForAWhile() {
        List<DirectConnection> taken = takeAll();
        miss(100);
        taken.forEach(directs::giveBack);
        miss(901);
        take();
        assertThat(attempts).hasValue(MOST);
        assertThat(proxy.connections()).isEqualTo(MOST);
    }

    @Test
    void oneThatNobodyHasNeededForAWhileIsClosed() {
        List<DirectConnection> taken = takeAll();
        directs.giveBack(taken.get(0));
        nanoTime.addAndGet(Duration.ofSeconds(6).toNanos());
        directs.giveBack(taken.get(1));
        await().atMost(Duration.ofSeconds(20)).until(() -> proxy.connections() == 1);
        nanoTime.addAndGet(Duration.ofSeconds(6).toNanos());
        miss(1);
        await().atMost(Duration.ofSeconds(20)).until(() -> proxy.connections() == 0);
    }

    @Test
    void whoMustNotBeHeldOrIsInterruptedGetsNone() {
        miss(32);
        directs.giveBack(take());
        assertThat(directs.take(call(Duration.ZERO))).isNull();
        Thread.currentThread().interrupt();
        assertThat(directs.take(call(Duration.ofSeconds(1)))).isNull();
        assertThat(Thread.interrupted()).isTrue();
        take();
    }

    @Test
    void whenTheSharedConnectionBreaksThoseInUseAreClosedAsWell() {
        List<DirectConnection> taken = takeAll();
        directs.giveBack(taken.get(0));
        directs.sharedConnectionBroke();
        directs.giveBack(taken.get(1));
        miss(1);
        await().atMost(Duration.ofSeconds(20)).until(() -> proxy.connections() == 0);
    }

    @Test
    void afterAFailureItIsLongUntilTheNextAttempt() {
        broken = true;
        miss(32);
        await().atMost(Duration.ofSeconds(20)).until(() -> attempts.get() == 1);
        broken = false;
        miss(900);
        assertThat(attempts).hasValue(1);
        miss(132);
        take();
        assertThat(attempts).hasValue(2);
    }

    @Test
    void noneAreOpenedAfterTheEnd() {
        directs.close();
        miss(64);
        await().atMost(Duration.ofSeconds(20)).until(() -> attempts.get() > 0 && proxy.connections() == 0);
        miss(1);
    }

    private List<DirectConnection> takeAll() {
        List<DirectConnection> taken = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            miss(32);
            taken.add(take());
        }
        return taken;
    }

    private void miss(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(directs.take(call(Duration.ofSeconds(1)))).isNull();
        }
    }

    private DirectConnection take() {
        Wire wire = await().atMost(Duration.ofSeconds(20))
                .until(() -> directs.take(call(Duration.ofSeconds(1))), found -> found != null);
        return ((DirectWire) wire).connection();
    }

    private DirectConnection open() throws IOException {
        attempts.incrementAndGet();
        if (broken) {
            throw new IOException("no connection today");
        }
        return DirectConnection.to(new InetSocketAddress("127.0.0.1", proxy.port()));
    }

    private static QuickRelease call(Duration patience) {
        return new QuickRelease(
                new ReleaseCommand(LockId.of("ns", "a"), new Token(1, 1), Duration.ZERO, patience),
                CompletableFuture::new);
    }
}

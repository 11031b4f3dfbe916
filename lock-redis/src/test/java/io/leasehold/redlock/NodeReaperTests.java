package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The removal of a token from one node. */
class NodeReaperTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final LockId ID = LockId.of("deploy", "service");

    private static final Token TOKEN = new Token(1, 1);

    private static final ReleaseCommand COMMAND = new ReleaseCommand(ID, TOKEN);

    private final VirtualTimer timer = new VirtualTimer();

    private final MemoryNode store = new MemoryNode(timer, Duration.ZERO, true);

    private final FaultyNode way = new FaultyNode(store, timer);

    private final RedlockNode node = new RedlockNode("node-0", way);

    private final NodeReaper reaper = new NodeReaper(group());

    @Test
    void aTokenIsRemovedImmediately() {
        grant();
        reaper.remove(node, COMMAND, true);
        assertThat(store.holder(ID)).isNull();
        assertThat(reaper.pending()).isZero();
    }

    @Test
    void aTokenThatCannotArriveLateIsDoneIfItDoesNotExist() {
        reaper.remove(node, COMMAND, false);
        assertThat(reaper.pending()).isZero();
    }

    @Test
    void aTokenThatArrivesLateIsRemovedThen() {
        reaper.remove(node, COMMAND, true);
        assertThat(reaper.pending()).isOne();
        timer.pass(Duration.ofSeconds(1));
        grant();
        timer.pass(Duration.ofSeconds(2));
        assertThat(store.holder(ID)).isNull();
        assertThat(reaper.pending()).isZero();
    }

    @Test
    void aTokenThatNeverArrivesIsDoneAfterFiveSeconds() {
        reaper.remove(node, COMMAND, true);
        timer.pass(Duration.ofMillis(4_999));
        assertThat(reaper.pending()).isOne();
        timer.pass(Duration.ofSeconds(2));
        assertThat(reaper.pending()).isZero();
    }

    /** The node was paused with both commands, and reads that of the removal first. */
    @Test
    void aTokenThatArrivesAfterALateAnswerIsRemoved() {
        way.releases = Fault.LOSE_REQUEST;
        reaper.remove(node, COMMAND, true);
        timer.pass(Duration.ofSeconds(8));
        way.releases = Fault.NONE;
        int asked = way.answeredReleases;
        while (way.answeredReleases == asked) {
            timer.pass(Duration.ofMillis(1));
        }
        grant();
        timer.pass(Duration.ofSeconds(3));
        assertThat(store.holder(ID)).isNull();
        assertThat(reaper.pending()).isZero();
    }

    /** As if no thread could be created for the timer. */
    @ParameterizedTest
    @EnumSource(names = {"LOSE_REPLY", "LOSE_REQUEST"})
    void aTimerThatFailsEndsNoLaterRemovals(Fault fault) {
        AtomicBoolean fails = new AtomicBoolean(true);
        NodeReaper failing = new NodeReaper(group((task, delay) -> {
            if (fails.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return timer.schedule(task, delay);
        }));
        way.releases = fault;
        IntStream.range(0, 2 * NodeReaper.ConcurrencyLimit.AT_ONCE).forEach(i -> failing.remove(node, COMMAND, true));
        assertThat(failing.pending()).isZero();
        fails.set(false);
        way.releases = Fault.NONE;
        grant();
        failing.remove(node, COMMAND, false);
        assertThat(store.holder(ID)).isNull();
        assertThat(failing.pending()).isZero();
    }

    @Test
    void aNodeThatDoesNotAnswerIsAskedUntilTheTokenHasExpired() {
        grant();
        way.releases = Fault.LOSE_REQUEST;
        reaper.remove(node, COMMAND, false);
        timer.pass(TTL.plusMillis(4_999));
        assertThat(reaper.pending()).isOne();
        timer.pass(Duration.ofSeconds(3));
        assertThat(reaper.pending()).isZero();
    }

    @Test
    void aNodeThatAnswersAgainIsAskedWithinTwoSeconds() {
        grant();
        way.releases = Fault.REFUSE;
        reaper.remove(node, COMMAND, false);
        timer.pass(Duration.ofSeconds(10));
        assertThat(store.holder(ID)).isEqualTo(TOKEN);
        way.releases = Fault.NONE;
        timer.pass(Duration.ofSeconds(2));
        assertThat(store.holder(ID)).isNull();
        assertThat(reaper.pending()).isZero();
    }

    @Test
    void beyondTwoThousandTokensAreLeftToExpire() {
        way.releases = Fault.LOSE_REQUEST;
        for (int i = 0; i < 2_001; i++) {
            reaper.remove(node, new ReleaseCommand(ID, new Token(1, i)), false);
        }
        assertThat(reaper.pending()).isEqualTo(2_000);
    }

    @Test
    void aNodeThatIsDownKeepsNoTokensOnOthers() {
        way.releases = Fault.LOSE_REQUEST;
        for (int i = 0; i < 2_001; i++) {
            reaper.remove(node, new ReleaseCommand(ID, new Token(1, i)), false);
        }
        MemoryNode healthy = new MemoryNode(timer, Duration.ZERO, true);
        healthy.acquire(new AcquireCommand(ID, TOKEN, TTL, 1, false));
        reaper.remove(new RedlockNode("node-1", healthy), COMMAND, false);
        assertThat(healthy.holder(ID)).isNull();
        assertThat(reaper.pending()).isEqualTo(2_000);
    }

    private void grant() {
        store.acquire(new AcquireCommand(ID, TOKEN, TTL, 1, false));
    }

    private NodeGroup group() {
        return group(timer);
    }

    private NodeGroup group(Scheduler reaperScheduler) {
        List<RedlockNode> others = IntStream.range(1, 3)
                .mapToObj(i -> new RedlockNode("node-" + i, new MemoryNode(timer, Duration.ZERO, true)))
                .toList();
        return new NodeGroup(
                List.of(node, others.get(0), others.get(1)),
                new RedlockLockOptions(Duration.ofSeconds(1), TTL),
                timer,
                timer,
                reaperScheduler);
    }
}

package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A node that missed a lease gets it with the fencing tokens on which the other nodes agreed. */
class GrantedLeasesTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final LockId ID = LockId.of("deploy", "service");

    private static final Token TOKEN = new Token(1, 1);

    private static final long AGREED = 5_000_000_000_000_000L;

    private final Bench bench = new Bench(3);

    private final Bench.Process process = bench.process();

    private final MemoryNode store = bench.nodes.get(0);

    private final RedlockNode node = new RedlockNode("node", store);

    private final GrantedLeases leases = process.backend.resources().grantedLeases();

    @Test
    void aNodeGetsALeaseThatIsHeld() {
        leases.add(command(TOKEN), AGREED);
        leases.topUp(node, new RenewCommand(ID, TOKEN, TTL));
        assertThat(acquire(new Token(2, 2))).isInstanceOf(Busy.class);
        assertThat(acquire(TOKEN)).isEqualTo(new Granted(AGREED));
    }

    @Test
    void aNodeGetsNoLeaseThatWasReleased() {
        leases.add(command(TOKEN), AGREED);
        leases.end(TOKEN);
        leases.topUp(node, new RenewCommand(ID, TOKEN, TTL));
        assertThat(leases.size()).isZero();
        assertThat(acquire(new Token(2, 2))).isInstanceOf(Granted.class);
    }

    @Test
    void aLateGrantIsReleasedIfItsLeaseHasEnded() {
        acquire(TOKEN);
        leases.align(node, command(TOKEN), 7);
        assertThat(acquire(new Token(2, 2))).isInstanceOf(Granted.class);
    }

    @Test
    void aLateGrantGetsTheAgreedFencingTokens() {
        acquire(TOKEN);
        leases.add(command(TOKEN), AGREED);
        leases.align(node, command(TOKEN), AGREED - 1_000);
        assertThat(acquire(TOKEN)).isEqualTo(new Granted(AGREED));
    }

    private Object acquire(Token token) {
        return store.acquire(command(token)).toCompletableFuture().join();
    }

    private static AcquireCommand command(Token token) {
        return new AcquireCommand(ID, token, TTL, 1, false);
    }
}

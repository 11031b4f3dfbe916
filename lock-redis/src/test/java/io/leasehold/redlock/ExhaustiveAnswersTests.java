package io.leasehold.redlock;

import static io.leasehold.redlock.ExhaustiveAnswersTests.Kind.FOREIGN;
import static io.leasehold.redlock.ExhaustiveAnswersTests.Kind.LATE;
import static io.leasehold.redlock.ExhaustiveAnswersTests.Kind.OWN;
import static io.leasehold.redlock.ExhaustiveAnswersTests.Kind.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every combination of the nodes' possible answers to an acquisition, compared with a model of the required result. */
class ExhaustiveAnswersTests {

    private static final LockId ID = LockId.of("redlock", "a");

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final Token OURS = new Token(1, 1);

    @ParameterizedTest
    @CsvSource({"3, 125, false", "3, 125, true", "5, 3125, false", "5, 3125, true"})
    void agreeWithTheModel(int size, int combinations, boolean knowsTheClocks) {
        int checked = 0;
        for (int number = 0; number < combinations; number++) {
            List<Kind> kinds = kinds(number, size);
            check(kinds, knowsTheClocks);
            checked++;
        }
        assertThat(checked).isEqualTo((int) Math.pow(Kind.values().length, size));
    }

    private static void check(List<Kind> kinds, boolean knowsTheClocks) {
        Bench bench = new Bench(kinds.size());
        Bench.Process process = bench.process();
        if (knowsTheClocks) {
            process.client.grant("earlier");
        }
        for (int i = 0; i < kinds.size(); i++) {
            kinds.get(i).prepare(i, bench.nodes.get(i), process.ways.get(i));
        }
        CompletableFuture<AcquireAnswer> asked = process.backend
                .acquire(new AcquireCommand(ID, OURS, TTL, 4, true))
                .toCompletableFuture();
        bench.timer.pass(Bench.NODE_TIMEOUT);

        assertThat(asked).as("decided in time: %s", kinds).isDone();
        Verdict verdict = Model.verdict(kinds);
        assertThat(verdictOf(asked)).as("%s", kinds).isEqualTo(verdict);
        process.ways.forEach(way -> way.all(Fault.NONE));
        bench.timer.pass(FaultyNode.LATE);
        if (verdict == Verdict.GRANTED) {
            checkHeld(kinds, bench, process, ((Granted) asked.join()).firstFence());
        } else {
            bench.timer.pass(Duration.ofSeconds(1));
            assertThat(bench.holders(ID, OURS)).as("left behind: %s", kinds).isZero();
        }
        checkForeignersAreUntouched(kinds, bench);
        checkTheNextOne(kinds, bench, asked);
    }

    private static void checkHeld(List<Kind> kinds, Bench bench, Bench.Process process, long firstFence) {
        long reached = kinds.stream()
                .filter(kind -> kind != FOREIGN && kind != TIMEOUT)
                .count();
        assertThat(bench.holders(ID, OURS)).as("kept: %s", kinds).isEqualTo(reached);
        assertThat(process.client.acquire(new AcquireCommand(ID, OURS, TTL, 4, true)))
                .as("asked again: %s", kinds)
                .extracting("firstFence")
                .isEqualTo(firstFence);
        process.client.release(ID, OURS, Duration.ZERO);
        assertThat(bench.holders(ID, OURS)).as("released: %s", kinds).isZero();
    }

    private static void checkForeignersAreUntouched(List<Kind> kinds, Bench bench) {
        for (int i = 0; i < kinds.size(); i++) {
            if (kinds.get(i) == FOREIGN) {
                assertThat(bench.nodes.get(i).holder(ID)).as("%s", kinds).isEqualTo(Kind.foreigner(i));
                bench.nodes.get(i).drop(ID);
            }
        }
    }

    private static void checkTheNextOne(List<Kind> kinds, Bench bench, CompletableFuture<AcquireAnswer> earlier) {
        long next = bench.process().client.grant(ID, TTL).firstFence();
        if (!earlier.isCompletedExceptionally() && earlier.join() instanceof Granted granted) {
            assertThat(next).as("%s", kinds).isGreaterThanOrEqualTo(granted.firstFence() + 4);
        }
    }

    private static Verdict verdictOf(CompletableFuture<AcquireAnswer> asked) {
        try {
            AcquireAnswer answer = asked.join();
            return answer instanceof Busy busy && !busy.queued() ? Verdict.BUSY : Verdict.GRANTED;
        } catch (CompletionException ex) {
            return ((BackendFailure) ex.getCause()).effect() == Effect.UNKNOWN ? Verdict.UNKNOWN : Verdict.NOT_DONE;
        }
    }

    private static List<Kind> kinds(int number, int size) {
        List<Kind> kinds = new ArrayList<>();
        for (int rest = number; kinds.size() < size; rest /= Kind.values().length) {
            kinds.add(Kind.values()[rest % Kind.values().length]);
        }
        return kinds;
    }

    enum Kind {
        OWN(Fault.NONE),
        FOREIGN(Fault.NONE),
        ERROR(Fault.LOSE_REPLY),
        TIMEOUT(Fault.LOSE_REQUEST),
        LATE(Fault.LATE);

        private final Fault fault;

        Kind(Fault fault) {
            this.fault = fault;
        }

        static Token foreigner(int node) {
            return new Token(2, node);
        }

        void prepare(int number, MemoryNode node, FaultyNode way) {
            if (this == FOREIGN) {
                node.acquire(new AcquireCommand(ID, foreigner(number), Duration.ofSeconds(20), 1, false));
            }
            way.votes = fault;
        }
    }

    enum Verdict {
        GRANTED,
        BUSY,
        UNKNOWN,
        NOT_DONE
    }

    /** The required result, written from the rules. Nodes that answer immediately are processed in their order. */
    private static final class Model {

        static Verdict verdict(List<Kind> kinds) {
            int majority = kinds.size() / 2 + 1;
            int own = 0;
            int foreign = 0;
            int open = kinds.size();
            for (Kind kind : kinds) {
                if (kind == TIMEOUT || kind == LATE) {
                    continue;
                }
                own += kind == OWN ? 1 : 0;
                foreign += kind == FOREIGN ? 1 : 0;
                open--;
                if (own == majority) {
                    return Verdict.GRANTED;
                }
                if (own + open < majority) {
                    break;
                }
            }
            boolean heardAMajority = own + foreign >= majority;
            return heardAMajority && foreign > 0 ? Verdict.BUSY : Verdict.UNKNOWN;
        }
    }
}

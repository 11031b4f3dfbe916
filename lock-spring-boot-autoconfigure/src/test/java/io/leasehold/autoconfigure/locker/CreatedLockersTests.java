package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.Locker;
import io.leasehold.engine.LockerSettings;
import io.leasehold.locker.RuntimeLocker;
import io.leasehold.test.TestLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lockers that several threads create and close. */
class CreatedLockersTests {

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    /** The second call could otherwise end the locks of a locker that was created in between. */
    @Test
    void aLockerIsClosedOnceByTwoCallsAtTheSameTime() throws Exception {
        SlowSource source = new SlowSource();
        RuntimeLocker locker = new CreatedLockers(source, name -> false).create("tenant", settings -> settings);
        Thread first = start(locker);
        await().until(() -> source.closed.get() == 1);
        Thread second = start(locker);
        await().until(() -> second.getState() == Thread.State.BLOCKED || second.getState() == Thread.State.WAITING);
        source.answered.countDown();
        first.join();
        second.join();
        assertThat(source.closed).hasValue(1);
    }

    /** Its creator has no locker to close, and could never use the name again. */
    @Test
    void aLockerWhoseObserverFailsIsClosed() {
        FailingSource source = new FailingSource();
        CreatedLockers lockers = new CreatedLockers(source, name -> false);
        assertThatIllegalStateException().isThrownBy(() -> lockers.create("tenant"));
        assertThat(source.ended).containsExactly("close", "forget");
        assertThat(lockers.open()).isEmpty();

        source.failing = false;
        assertThat(lockers.create("tenant").name()).isEqualTo("tenant");
    }

    private static Thread start(RuntimeLocker locker) {
        Thread thread = new Thread(locker::close);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private final class SlowSource implements CreatedLockers.Source {

        private final AtomicInteger closed = new AtomicInteger();

        private final CountDownLatch answered = new CountDownLatch(1);

        @Override
        public Locker open(String name, UnaryOperator<LockerSettings> settings) {
            return locks.locker(name);
        }

        @Override
        public void close(String name) {
            closed.incrementAndGet();
            try {
                answered.await();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        }
    }

    private final class FailingSource implements CreatedLockers.Source {

        private final List<String> ended = new ArrayList<>();

        private boolean failing = true;

        @Override
        public Locker open(String name, UnaryOperator<LockerSettings> settings) {
            return locks.locker(name);
        }

        @Override
        public void opened(String name) {
            if (failing) {
                throw new IllegalStateException("a meter of that name has other tags");
            }
        }

        @Override
        public void close(String name) {
            ended.add("close");
        }

        @Override
        public void forget(String name) {
            ended.add("forget");
        }
    }
}

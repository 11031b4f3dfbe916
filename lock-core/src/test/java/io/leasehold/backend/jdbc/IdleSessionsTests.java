package io.leasehold.backend.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IdleSessionsTests {

    private static final int TRIES = 20;

    /** Who gives a session back and wants one again at once is ahead of a thread that has to wake up first. */
    @Test
    void whoWaitsIsServedBeforeWhoGivesOneBack() throws Exception {
        IdleSessions idle = new IdleSessions(1, System::nanoTime);
        int waiterWasServed = 0;
        try (Session session =
                Session.open(TestDatabase.H2.dataSource(), Duration.ofSeconds(1), Duration.ofSeconds(5))) {
            for (int i = 0; i < TRIES; i++) {
                Waiter waiter = Waiter.start(idle);
                waiter.untilItWaits();
                assertThat(idle.add(session)).isTrue();
                if (idle.poll() == null) {
                    waiterWasServed++;
                    assertThat(waiter.served()).isSameAs(session);
                } else {
                    idle.add(session);
                    waiter.served();
                }
            }
        }
        // a waiter looks up now and then, and may do so at this very moment
        assertThat(waiterWasServed).isGreaterThan(TRIES / 2);
    }

    private record Waiter(Thread thread, CompletableFuture<Session> taken) {

        static Waiter start(IdleSessions idle) {
            CompletableFuture<Session> taken = new CompletableFuture<>();
            Thread thread = new Thread(() -> take(idle, taken), "waits-for-a-session");
            thread.start();
            return new Waiter(thread, taken);
        }

        void untilItWaits() {
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }

        Session served() throws Exception {
            Session session = taken.get(10, TimeUnit.SECONDS);
            thread.join();
            return session;
        }

        private static void take(IdleSessions idle, CompletableFuture<Session> taken) {
            try {
                @Nullable Session session = null;
                while (session == null) {
                    session = idle.await();
                }
                taken.complete(session);
            } catch (InterruptedException ex) {
                taken.completeExceptionally(ex);
            }
        }
    }
}

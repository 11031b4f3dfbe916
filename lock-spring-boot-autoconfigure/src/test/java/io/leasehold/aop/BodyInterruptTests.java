package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnLost;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class BodyInterruptTests {

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    private final RecordingLocker locker = bean.locker();

    @Test
    void aBodyThatWaitsIsInterruptedAndItsExceptionCarriesTheLoss() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> bean.proxy().work("a", () -> {
                    loseOnAnotherThread(() -> {});
                    return new CountDownLatch(1).await(10, TimeUnit.SECONDS);
                }))
                .satisfies(ex -> assertThat(ex.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aBodyThatReturnsAllTheSameFailsAndLeavesNoFlagBehind() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().work("a", () -> {
                    locker.lose("a");
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    return true;
                }));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aLossAfterTheBodyInterruptsNobody() throws Exception {
        bean.proxy().work("a", () -> true);
        locker.granted.get(0).reportLoss(io.leasehold.LossReason.EXPIRED);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptOfSomebodyElseIsKept() throws Exception {
        bean.proxy().work("a", () -> {
            Thread.currentThread().interrupt();
            return true;
        });
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptOfSomebodyElseAfterTheOneOfTheLossIsKept() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> bean.proxy().work("a", () -> {
                    locker.lose("a");
                    try {
                        return new CountDownLatch(1).await(10, TimeUnit.SECONDS);
                    } finally {
                        Thread.currentThread().interrupt();
                    }
                }));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptOfSomebodyElseBeforeTheLossIsKept() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().work("a", () -> {
                    Thread.currentThread().interrupt();
                    locker.lose("a");
                    return true;
                }));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void withoutThisChoiceTheThreadIsNotInterrupted() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.proxy().uninterrupted("a", () -> {
                    locker.lose("a");
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return true;
                }));
    }

    @Test
    void nestedCallsDoNotPileUpCallbacks() throws Exception {
        bean.proxy().work("a", () -> {
            for (int i = 0; i < 10; i++) {
                bean.proxy().work("a", () -> true);
            }
            return assertThat(locker.granted.get(0).callbackCount()).isEqualTo(1);
        });
    }

    private void loseOnAnotherThread(Runnable before) {
        new Thread(() -> {
                    before.run();
                    locker.lose("a");
                })
                .start();
    }

    static class Work {

        @DistributedLock(key = "#key", onLost = OnLost.INTERRUPT)
        public Object work(String key, Callable<?> body) throws Exception {
            return body.call();
        }

        @DistributedLock("#key")
        public Object uninterrupted(String key, Callable<?> body) throws Exception {
            return body.call();
        }
    }
}

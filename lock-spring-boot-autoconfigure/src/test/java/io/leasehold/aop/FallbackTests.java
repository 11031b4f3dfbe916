package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FallbackTests {

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    private final RecordingLocker locker = bean.locker();

    @Test
    void itIsCalledInsteadOfTheBodyWithTheSameArguments() throws Exception {
        locker.holdElsewhere("a");
        assertThat(bean.proxy().plain("a", 3)).isEqualTo("instead a 3");
    }

    @Test
    void itIsNotCalledWhenTheLockIsAcquired() throws Exception {
        assertThat(bean.proxy().plain("a", 3)).isEqualTo("body");
    }

    @Test
    void itMayTakeTheException() {
        locker.holdElsewhere("a");
        assertThat(bean.proxy().withException("a")).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void withTheRootExceptionItIsCalledForTheStoreToo() {
        locker.broken = new LockBackendException("down", "default", "a", null);
        assertThat(bean.proxy().withException("a")).isSameAs(locker.broken);
    }

    @Test
    void withoutAnExceptionItIsNotCalledForTheStore() {
        locker.broken = new LockBackendException("down", "default", "a", null);
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> bean.proxy().plain("a", 3));
    }

    @Test
    void anInterruptedCallerIsNoCaseForIt() {
        locker.broken = new LockInterruptedException("default", "a");
        assertThatExceptionOfType(LockInterruptedException.class)
                .isThrownBy(() -> bean.proxy().withException("a"));
    }

    @Test
    void whatItThrowsIsThrownAsItIs() {
        locker.holdElsewhere("fail");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> bean.proxy().plain("fail", 3))
                .withMessage("of the fallback");
    }

    @Test
    void itMayBeOverriddenWithTheTypeOfAGenericSuperclass() {
        assertThat(heldElsewhere(new OverriddenFallback()).run(1L)).isEqualTo("overridden 1");
    }

    @Test
    void itMayBeInheritedFromAGenericSuperclass() {
        assertThat(heldElsewhere(new OverriddenRun()).run(1L)).isEqualTo("busy 1");
    }

    @Test
    void itMayReturnTheTypeOfAGenericSuperclass() {
        assertThat(heldElsewhere(new OverriddenGenericResult()).same(1L)).isEqualTo(1L);
    }

    private static <T> T heldElsewhere(T target) {
        LockedBean<T> held = LockedBean.of(target);
        held.locker().holdElsewhere("1");
        return held.proxy();
    }

    abstract static class Generic<T> {

        @DistributedLock(key = "#t", fallbackMethod = "busy", waitTime = "0")
        public String run(T t) {
            return "body";
        }

        protected String busy(T t) {
            return "busy " + t;
        }

        protected T alike(T t, LockNotAcquiredException failure) {
            return t;
        }
    }

    static class OverriddenFallback extends Generic<Long> {

        @Override
        protected String busy(Long t) {
            return "overridden " + t;
        }
    }

    static class OverriddenRun extends Generic<Long> {

        @Override
        @DistributedLock(key = "#t", fallbackMethod = "busy", waitTime = "0")
        public String run(Long t) {
            return "body";
        }
    }

    static class OverriddenGenericResult extends Generic<Long> {

        @DistributedLock(key = "#t", fallbackMethod = "alike", waitTime = "0")
        public Long same(Long t) {
            return 0L;
        }
    }

    static class Work {

        @DistributedLock(key = "#key", fallbackMethod = "instead")
        public String plain(String key, int number) throws IOException {
            return "body";
        }

        private String instead(String key, int number) throws IOException {
            if (key.equals("fail")) {
                throw new IOException("of the fallback");
            }
            return "instead " + key + " " + number;
        }

        @DistributedLock(key = "#key", fallbackMethod = "failed")
        public Object withException(String key) {
            return "body";
        }

        static Object failed(String key, LockException failure) {
            return failure;
        }
    }
}

package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where the work is that would wait for a lock under which it runs. */
class WaitForItselfTests {

    private final Locker locker = new FakeLocker();

    @Test
    void theMessageNamesTheWorkThatHasTheLock() throws Exception {
        assertThat(order("a"))
                .hasValueSatisfying(message -> assertThat(message)
                        .contains("works under this lock, in " + getClass().getName() + ".")
                        .contains("lambda$order$")
                        .doesNotContain("lambda$item$"));
    }

    @Test
    void theMessageNamesTheInnermostWork() throws Exception {
        assertThat(order("c")).hasValueSatisfying(message -> assertThat(message).contains("lambda$item$"));
    }

    /** Under two locks, as a call for two keys is, and inside of it under a third one. */
    private Optional<String> order(String key) throws Exception {
        return LockContext.call(List.of(handle("a"), handle("b")), () -> item(key));
    }

    private Optional<String> item(String key) throws Exception {
        return LockContext.call(handle("c"), () -> LockContext.waitForItself(locker, key));
    }

    private static LockHandle handle(String key) {
        return new FakeHandle("fake", key);
    }
}

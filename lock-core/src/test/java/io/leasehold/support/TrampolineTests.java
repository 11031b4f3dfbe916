package io.leasehold.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of tasks that cause each other, and what becomes of them if one fails. */
class TrampolineTests {

    private final Trampoline trampoline = new Trampoline();

    private final List<String> ran = new ArrayList<>();

    @Test
    void aTaskOfATaskRunsAfterIt() {
        trampoline.run(() -> {
            trampoline.run(() -> ran.add("inner"));
            ran.add("outer");
        });
        assertThat(ran).containsExactly("outer", "inner");
    }

    @Test
    void aLongChainDoesNotOverflowTheStack() {
        chain(100_000);
        assertThat(ran).containsExactly("last");
    }

    @Test
    void theOthersRunIfOneFails() {
        IllegalStateException failure = new IllegalStateException("first");
        assertThatThrownBy(() -> trampoline.run(() -> {
                    trampoline.run(() -> {
                        throw new IllegalArgumentException("second");
                    });
                    trampoline.run(() -> ran.add("third"));
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(ran).containsExactly("third");
        trampoline.run(() -> ran.add("later"));
        assertThat(ran).containsExactly("third", "later");
    }

    private void chain(int left) {
        trampoline.run(left == 0 ? () -> ran.add("last") : () -> chain(left - 1));
    }
}

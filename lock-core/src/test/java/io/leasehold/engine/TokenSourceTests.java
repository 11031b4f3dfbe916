package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenSourceTests {

    private final TokenSource tokens = new TokenSource();

    @Test
    void tokensAreNeverTheSame() {
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> tokens.next())).doesNotHaveDuplicates();
    }
}

package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenSourceTests {

    private static final long SEED = 7;

    private final TokenSource tokens = new TokenSource();

    @Test
    void tokensAreNeverTheSame() {
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> tokens.next(null))).doesNotHaveDuplicates();
    }

    /** Processes that are restored from one checkpoint begin with the same source; their generators differ. */
    @Test
    void nothingThatWasDrawnIsUsedAfterARenewal() {
        Random random = new Random(SEED);
        TokenSource one = new TokenSource(random);
        TokenSource other = new TokenSource(new Random(SEED));
        assertThat(one.next(null)).isEqualTo(other.next(null));
        one.renew();
        random.setSeed(SEED + 1);
        assertThat(one.next(null)).isNotEqualTo(other.next(null));
        assertThat(one.instance()).isNotEqualTo(other.instance());
        assertThat(one.instance().name()).isEqualTo(other.instance().name());
    }
}

package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testsupport.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenTests {

    @Test
    void storesKeepThirtyTwoHexadecimalDigits() {
        assertThat(new Token(0xfedcba9876543210L, 0xaL).value()).isEqualTo("fedcba9876543210000000000000000a");
        assertThat(new Token(0, 0).value()).isEqualTo("0".repeat(32));
    }

    @Test
    void theBytesAreThoseOfTheValue() {
        Random random = Seeds.random("theBytesAreThoseOfTheValue");
        for (int i = 0; i < 1_000; i++) {
            Token token = new Token(random.nextLong(), random.nextLong() >>> random.nextInt(Long.SIZE));
            assertThat(token.bytes()).isEqualTo(token.value().getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void itsTextIsNotEnoughToReleaseTheLock() {
        assertThat(new Token(0xfedcba9876543210L, 1)).hasToString("fedcba...");
    }
}

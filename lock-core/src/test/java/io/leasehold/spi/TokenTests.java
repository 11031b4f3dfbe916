package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockState;
import io.leasehold.testsupport.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
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
    void theHolderIsTheInstanceAndTheThread() {
        Instance instance = new Instance(1, "orders@host:1");
        assertThat(new Token(1, 2, instance, 47).holder()).isEqualTo("orders@host:1, thread 47");
        assertThat(new Token(1, 2, instance, 0).holder()).isEqualTo("orders@host:1");
        assertThat(new Token(1, 2, null, 47).holder()).isNull();
    }

    @Test
    void theThreadOfALongNameIsNotCut() {
        Token token = new Token(1, 2, new Instance(1, "x".repeat(1_000)), Long.MAX_VALUE);
        assertThat(token.holder()).hasSize(LockState.LONGEST_NAME).endsWith("x, thread " + Long.MAX_VALUE);
    }

    @Test
    void theIdsOfTheHolderAreBase64AfterTheDigits() {
        Random random = Seeds.random("theIdsOfTheHolderAreBase64AfterTheDigits");
        for (int i = 0; i < 1_000; i++) {
            Instance instance = new Instance(random.nextLong(), "orders@host:1");
            long threadId = random.nextInt() >>> random.nextInt(Integer.SIZE) & 0xffff_ffffL;
            Token token = new Token(random.nextLong(), random.nextLong(), instance, threadId);
            assertThat(token.valueWithHolder()).hasSize(44).startsWith(token.value());
            ByteBuffer ids = ByteBuffer.wrap(
                    Base64.getUrlDecoder().decode(token.valueWithHolder().substring(32)));
            assertThat(HexFormat.of().formatHex(ids.array(), 0, 5)).isEqualTo(instance.idDigits());
            assertThat(Integer.toUnsignedLong(ids.getInt(5))).isEqualTo(threadId);
        }
    }

    /** An application with many virtual threads may reach such ids. */
    @Test
    void aThreadWithALongIdIsLeftOutOfAValueOfThisLength() {
        Instance instance = new Instance(-1, "orders@host:1");
        assertThat(new Token(1, 2, instance, 1L << 32).valueWithHolder())
                .isEqualTo(new Token(1, 2, instance, 0).valueWithHolder());
        assertThat(new Token(1, 2, null, 0).valueWithHolder()).endsWith("A".repeat(12));
    }

    @Test
    void itsTextIsNotEnoughToReleaseTheLock() {
        assertThat(new Token(0xfedcba9876543210L, 1)).hasToString("fedcba...");
    }
}

package io.leasehold.redis;

import static io.leasehold.spi.RenewAnswer.RENEWED;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** A script of this package's resources, and the digest under which Redis remembers it. */
enum RedisScript {
    QUICK("quick.lua", Answer.INTEGERS),
    ACQUIRE("acquire.lua", Answer.INTEGER),
    RENEW("renew.lua", Answer.BYTES),
    RELEASE("release.lua", Answer.INTEGER),
    RELEASE_UNWANTED("release_unwanted.lua", Answer.INTEGER),
    VOTE("vote.lua", Answer.BYTES),
    SETTLE("settle.lua", Answer.INTEGER),
    STANDING("standing.lua", Answer.BYTES);

    private final byte[] source;

    private final String digest;

    private final Answer answer;

    RedisScript(String resource, Answer answer) {
        this.source = read(resource);
        this.digest = sha1(source);
        this.answer = answer;
    }

    byte[] source() {
        return source;
    }

    String digest() {
        return digest;
    }

    byte[] digestBytes() {
        return digest.getBytes(StandardCharsets.US_ASCII);
    }

    Answer answer() {
        return answer;
    }

    /** Whether the script has granted or prolonged a lease, if this is its answer. */
    boolean wrote(Object reply) {
        return answer == Answer.INTEGER
                ? (Long) reply > 0
                : RenewScript.parse((byte[]) reply).contains(RENEWED);
    }

    private static byte[] read(String resource) {
        try (InputStream in = RedisScript.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static String sha1(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-1", ex);
        }
    }

    /** What a script answers with. */
    enum Answer {
        /** A {@link Long}. */
        INTEGER,
        /** A {@code List<Long>}. */
        INTEGERS,
        /** A {@code byte[]}. */
        BYTES
    }
}

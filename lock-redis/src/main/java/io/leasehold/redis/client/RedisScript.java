package io.leasehold.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** A script from the package of its owner, and the digest under which Redis caches it. */
public final class RedisScript {

    private final byte[] source;

    private final String digest;

    private final Answer answer;

    private RedisScript(byte[] source, Answer answer) {
        this.source = source;
        this.digest = sha1(source);
        this.answer = answer;
    }

    /**
     * Reads a script.
     *
     * @param owner the class whose package contains the script
     * @param resource the file name of the script
     * @param answer the type of its answer
     */
    public static RedisScript of(Class<?> owner, String resource, Answer answer) {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            return new RedisScript(Objects.requireNonNull(in, resource).readAllBytes(), answer);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    public byte[] source() {
        return source;
    }

    public String digest() {
        return digest;
    }

    public byte[] digestBytes() {
        return digest.getBytes(StandardCharsets.US_ASCII);
    }

    public Answer answer() {
        return answer;
    }

    /**
     * Whether the script has granted, renewed or revoked a lease. Its reply is then a number greater than zero, or
     * contains a {@code '1'} for each lease.
     *
     * @param reply the script's reply
     * @return whether replicas have a write to confirm
     */
    public boolean wrote(Object reply) {
        if (answer == Answer.INTEGER) {
            return (Long) reply > 0;
        }
        for (byte each : (byte[]) reply) {
            if (each == '1') {
                return true;
            }
        }
        return false;
    }

    private static String sha1(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-1", ex);
        }
    }

    /** The type of a script's answer. */
    public enum Answer {
        /** A {@link Long}. */
        INTEGER,
        /** A {@code List<Long>}. */
        INTEGERS,
        /** A {@code byte[]}. */
        BYTES
    }
}

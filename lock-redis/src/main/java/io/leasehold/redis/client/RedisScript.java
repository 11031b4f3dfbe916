package io.leasehold.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Function;

/** A script from the package of its owner, and the digest under which Redis caches it. */
public final class RedisScript {

    private final byte[] source;

    private final String digest;

    private final byte[] digestBytes;

    private final Answer answer;

    private final Function<Object, Confirmation> confirmation;

    private RedisScript(byte[] source, Answer answer, Function<Object, Confirmation> confirmation) {
        this.source = source;
        this.digest = sha1(source);
        this.digestBytes = digest.getBytes(StandardCharsets.US_ASCII);
        this.answer = answer;
        this.confirmation = confirmation;
    }

    /** Reads a script whose replies need no confirmation. */
    public static RedisScript of(Class<?> owner, String resource, Answer answer) {
        return of(owner, resource, answer, reply -> Confirmation.NONE);
    }

    /**
     * Reads a script.
     *
     * @param owner the class whose package contains the script
     * @param resource the file name of the script
     * @param answer the type of its answer
     * @param confirmation returns what replicas have to confirm before a reply counts
     */
    public static RedisScript of(
            Class<?> owner, String resource, Answer answer, Function<Object, Confirmation> confirmation) {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            return new RedisScript(Objects.requireNonNull(in, resource).readAllBytes(), answer, confirmation);
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
        return digestBytes;
    }

    public Answer answer() {
        return answer;
    }

    /** What replicas have to confirm before the reply counts. */
    public Confirmation confirmation(Object reply) {
        return confirmation.apply(reply);
    }

    /** The confirmation of a grant. That another token has the lock needs none, because the caller asks again. */
    public static Confirmation ofGrant(Object reply) {
        return isYes(reply) ? Confirmation.WRITE : Confirmation.NONE;
    }

    /** The confirmation of a renewal, a release or a revocation. */
    public static Confirmation ofChange(Object reply) {
        return isYes(reply) ? Confirmation.WRITE : Confirmation.DENIAL;
    }

    /** Whether the reply is a number greater than zero, or contains a {@code '1'} for each lease that was changed. */
    private static boolean isYes(Object reply) {
        if (reply instanceof Long number) {
            return number > 0;
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

    /** What replicas have to confirm before a reply counts, if they have to confirm leases. */
    public enum Confirmation {
        /** Nothing. */
        NONE,
        /** The write of the script. */
        WRITE,
        /** That the server is their master. It answered that there is no such lease, and a deposed master may not know. */
        DENIAL
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

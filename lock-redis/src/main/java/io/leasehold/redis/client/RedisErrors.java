package io.leasehold.redis.client;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Maps an error of Redis or of its client to the effect of the command. Every error reply of Redis starts with a word
 * in capitals. Redis sends a reply with one of the words below instead of running the script. The effect of any other
 * error is unknown.
 */
public final class RedisErrors {

    private static final Map<String, Effect> EFFECTS = Map.ofEntries(
            Map.entry("WRONGTYPE", Effect.REFUSED),
            Map.entry("NOPERM", Effect.REFUSED),
            Map.entry("NOAUTH", Effect.REFUSED),
            Map.entry("WRONGPASS", Effect.REFUSED),
            Map.entry("DENIED", Effect.REFUSED),
            Map.entry("CROSSSLOT", Effect.REFUSED),
            Map.entry("OOM", Effect.NOT_DONE),
            Map.entry("MISCONF", Effect.NOT_DONE),
            Map.entry("READONLY", Effect.NOT_DONE),
            Map.entry("LOADING", Effect.NOT_DONE),
            Map.entry("MASTERDOWN", Effect.NOT_DONE),
            Map.entry("CLUSTERDOWN", Effect.NOT_DONE),
            Map.entry("TRYAGAIN", Effect.NOT_DONE),
            Map.entry("MOVED", Effect.NOT_DONE),
            Map.entry("ASK", Effect.NOT_DONE),
            Map.entry("NOREPLICAS", Effect.NOT_DONE),
            Map.entry("BUSY", Effect.NOT_DONE));

    private static final Map<String, String> NEXT_STEPS = Map.of(
            "WRONGTYPE", "a key of this lock holds something that is no lock: remove it, or choose another namespace",
            "NOPERM", "the Redis user may not do this: grant it the commands that the documentation lists",
            "NOAUTH", "Redis wants a password: set spring.data.redis.password",
            "WRONGPASS", "Redis does not accept the user or password: check spring.data.redis.username and .password",
            "CROSSSLOT", "this Redis is part of a cluster: set spring.data.redis.cluster.nodes",
            "DENIED", "Redis runs in protected mode: set a password or bind it to an address",
            "OOM", "Redis is full: raise maxmemory",
            "READONLY", "this Redis is a replica: connect to the master, through Sentinel or Cluster if there is one");

    private RedisErrors() {}

    public static BackendFailure of(Throwable thrown) {
        Throwable ex = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (ex instanceof BackendFailure failure) {
            return failure;
        }
        String word = errorWord(ex);
        Effect effect = word == null ? withoutReply(ex) : EFFECTS.getOrDefault(word, Effect.UNKNOWN);
        String nextStep = word == null ? null : NEXT_STEPS.get(word);
        String message = "Redis: " + ex.getMessage() + (nextStep == null ? "" : " (" + nextStep + ")");
        return new BackendFailure(effect, message, ex);
    }

    /**
     * The effect of a failure without a reply. With {@code PartitionSelectorException}, Lettuce knows no node that
     * serves the slot and has sent nothing. The class is compared by name, because it is missing when Jedis is used.
     */
    private static Effect withoutReply(Throwable ex) {
        boolean nobodyToSendTo = ex.getClass().getName().equals("io.lettuce.core.cluster.PartitionSelectorException");
        return nobodyToSendTo ? Effect.NOT_DONE : Effect.UNKNOWN;
    }

    public static boolean isUnknownScript(Throwable thrown) {
        return "NOSCRIPT".equals(errorWord(thrown));
    }

    /** Whether a cluster refused a command because its keys belong to several slots. */
    public static boolean isOfSeveralSlots(Throwable thrown) {
        return "CROSSSLOT".equals(errorWord(thrown));
    }

    public static boolean isReplica(Throwable thrown) {
        return "READONLY".equals(errorWord(thrown));
    }

    public static boolean isNotPermitted(Throwable thrown) {
        return "NOPERM".equals(errorWord(thrown));
    }

    /** Returns the first known error reply among the exception and its causes, or an empty string. */
    public static String errorReply(Throwable thrown) {
        for (Throwable ex = thrown; ex != null; ex = ex.getCause()) {
            String message = ex.getMessage();
            if (message == null) {
                continue;
            }
            String word = firstWord(message);
            if (word.equals("NOSCRIPT") || EFFECTS.containsKey(word)) {
                return message;
            }
        }
        return "";
    }

    private static @Nullable String errorWord(Throwable thrown) {
        String reply = errorReply(thrown);
        return reply.isEmpty() ? null : firstWord(reply);
    }

    private static String firstWord(String message) {
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }
}

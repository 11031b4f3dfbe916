package io.leasehold.redis.client;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Maps an error of Redis or of its client to the effect of the command. Every error reply of Redis starts with a word
 * in capitals. Redis sends a reply with one of the words below instead of running the script. The effect of any other
 * error is unknown.
 */
public final class RedisErrors {

    /** The reply to a connection beyond {@code maxclients}. */
    private static final String NO_ROOM = "ERR max number of clients";

    /** The reply to SELECT when a connection opens. */
    private static final String NO_DATABASE = "ERR DB index is out of range";

    /** The reply of a replica to WAIT. */
    private static final String WAIT_ON_REPLICA = "ERR WAIT cannot be used with replica";

    /** The reply if the user lacks a right in a script, which may have run in part. */
    private static final String NOT_PERMITTED_IN_SCRIPT = "ERR ACL failure in script";

    /** The reply to a command that is renamed, or that a proxy does not have. */
    private static final String UNKNOWN_COMMAND = "ERR unknown command";

    /** The reply to a script with such a command, which may have run in part. */
    private static final String UNKNOWN_IN_SCRIPT = "ERR Unknown Redis command called from script";

    /** The replies whose first word says nothing, by the beginnings of their texts. */
    private static final Map<String, String> REPLIES_BY_TEXT = Map.of(
            NO_ROOM,
            NO_ROOM,
            NO_DATABASE,
            NO_DATABASE,
            WAIT_ON_REPLICA,
            WAIT_ON_REPLICA,
            NOT_PERMITTED_IN_SCRIPT,
            NOT_PERMITTED_IN_SCRIPT,
            // as Redis 7.0 says it
            "ERR The user executing the script can't",
            NOT_PERMITTED_IN_SCRIPT,
            UNKNOWN_COMMAND,
            UNKNOWN_COMMAND,
            UNKNOWN_IN_SCRIPT,
            UNKNOWN_IN_SCRIPT);

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
            Map.entry("BUSY", Effect.NOT_DONE),
            Map.entry(UNKNOWN_COMMAND, Effect.REFUSED),
            Map.entry(NOT_PERMITTED_IN_SCRIPT, Effect.UNKNOWN),
            Map.entry(UNKNOWN_IN_SCRIPT, Effect.UNKNOWN),
            Map.entry(WAIT_ON_REPLICA, Effect.NOT_DONE),
            Map.entry(NO_DATABASE, Effect.REFUSED),
            Map.entry(NO_ROOM, Effect.NOT_DONE));

    private static final String GRANT_COMMANDS =
            "the Redis user may not run this command: grant it the commands of docs/redis-acl.md";

    private static final String OFFER_COMMANDS =
            "this Redis, or a proxy before it, does not have the command under this name: locks need those of"
                    + " docs/redis-acl.md";

    private static final Map<String, String> NEXT_STEPS = Map.ofEntries(
            Map.entry(
                    "NOREPLICAS",
                    "see whether the replicas are connected to the master, or lower 'lock.redis.min-replicas', or the"
                            + " server's own min-replicas-to-write"),
            Map.entry(
                    "WRONGTYPE",
                    "a key of this lock holds something that is no lock: remove it, or choose another namespace"),
            Map.entry("NOPERM", GRANT_COMMANDS),
            Map.entry(NOT_PERMITTED_IN_SCRIPT, GRANT_COMMANDS),
            Map.entry(UNKNOWN_COMMAND, OFFER_COMMANDS),
            Map.entry(UNKNOWN_IN_SCRIPT, OFFER_COMMANDS),
            Map.entry(
                    "NOAUTH",
                    "Redis requires a password: set spring.data.redis.password, or that of the Redis for locks"),
            Map.entry(
                    "WRONGPASS",
                    "Redis does not accept the user or password: check spring.data.redis.username and .password, or those"
                            + " of the Redis for locks"),
            Map.entry(
                    "TRYAGAIN",
                    "the cluster is moving the slot of this lock: end the migration, or repair it with 'redis-cli --cluster"
                            + " fix'"),
            Map.entry("CROSSSLOT", "this Redis is part of a cluster: set spring.data.redis.cluster.nodes"),
            Map.entry("DENIED", "Redis runs in protected mode: set a password or bind it to an address"),
            Map.entry("OOM", "Redis is full: raise maxmemory"),
            Map.entry(
                    "READONLY",
                    "this Redis is a replica: connect to the master, through Sentinel or Cluster if there is one"),
            Map.entry(
                    NO_DATABASE,
                    "this Redis has fewer databases: correct spring.data.redis.database, or that of the Redis for locks, or"
                            + " raise 'databases' of the server"),
            Map.entry(
                    NO_ROOM,
                    "Redis accepts no further connection: raise maxclients, or close connections of other clients"));

    private static final String NO_KEYS =
            "the Redis user may not access the keys of this locker: grant it the key patterns ~<namespace>:* and"
                    + " ~{<namespace>:*, see docs/redis-acl.md";

    private static final String NO_CHANNELS =
            "the Redis user may not access the channel on which waiters are notified: grant it the channel pattern"
                    + " &lock-turns:*, see docs/redis-acl.md";

    /**
     * The messages of the clients and of the system if the connection was closed during the handshake. The reply of
     * Redis, or of the server's TLS, is then lost. A server without TLS sends none to a client with TLS.
     */
    private static final List<String> CLOSED_EARLY = List.of(
            "RedisHandshakeHandler not registered",
            "Connection closed prematurely",
            "the connection ended before the answer",
            "Connection reset",
            "Broken pipe",
            "Read timed out");

    /** Lettuce's messages if it refuses a command before it is sent. The exceptions have no type of their own. */
    private static final List<String> NOT_SENT = List.of(
            "Request queue size exceeded",
            "Internal stack size exceeded",
            "Currently not connected. Commands are rejected");

    private static final String NO_REPLY_READ =
            "the connection was closed, or timed out, before the reply of Redis was read: check user and password, see whether"
                    + " maxclients is reached, and whether the server expects TLS, a client certificate, or neither";

    private static final String TLS_FAILED =
            "TLS failed: connect by a host name that is in the server's certificate, and set"
                    + " spring.data.redis.ssl.bundle, or ssl.bundle of the Redis for locks, to an SSL bundle that trusts"
                    + " this certificate, with a valid client certificate if the server requires one";

    private static final String UNKNOWN_HOST = "the name of the host cannot be resolved: correct it, or check the DNS";

    private RedisErrors() {}

    public static BackendFailure of(Throwable thrown) {
        Throwable ex = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (ex instanceof BackendFailure failure) {
            return failure;
        }
        String word = errorWord(ex);
        Effect effect = word == null ? withoutReply(ex) : EFFECTS.getOrDefault(word, Effect.UNKNOWN);
        return new BackendFailure(effect, "Redis: " + described(ex, nextStep(ex)), ex);
    }

    /**
     * The failure of a command that its client may have sent several times. If the server could not execute the last one,
     * it may still have executed one before. A lasting refusal applied to those before as well.
     */
    public static BackendFailure ofRepeated(Throwable thrown) {
        BackendFailure last = of(thrown);
        return last.effect() == Effect.NOT_DONE
                ? new BackendFailure(Effect.UNKNOWN, String.valueOf(last.getMessage()), thrown)
                : last;
    }

    /** The failure of an attempt to connect, before which no command was sent. */
    public static BackendFailure notConnected(Throwable ex) {
        if (ex instanceof BackendFailure failure) {
            return failure;
        }
        String word = errorWord(ex);
        Effect effect = word == null ? Effect.NOT_DONE : EFFECTS.getOrDefault(word, Effect.NOT_DONE);
        String nextStep = nextStep(ex);
        boolean mayHaveReplied = nextStep == null && CLOSED_EARLY.stream().anyMatch(message(ex)::contains);
        return new BackendFailure(
                effect, "no connection to Redis: " + described(ex, mayHaveReplied ? NO_REPLY_READ : nextStep), ex);
    }

    /**
     * The message with the address and the innermost reason of a failed connection, and the next step if it is known.
     */
    private static String described(Throwable ex, @Nullable String nextStep) {
        return message(ex) + (nextStep == null ? "" : " (" + nextStep + ")");
    }

    private static @Nullable String nextStep(Throwable ex) {
        String reply = errorReply(ex);
        if (reply.isEmpty()) {
            if (hasCause(ex, UnknownHostException.class::isInstance)) {
                return UNKNOWN_HOST;
            }
            return hasCause(ex, SSLException.class::isInstance) ? TLS_FAILED : null;
        }
        boolean lacksRight = isNotPermitted(firstWord(reply));
        if (lacksRight && reply.contains("channel")) {
            return NO_CHANNELS;
        }
        if (lacksRight && reply.contains("access")) {
            return NO_KEYS;
        }
        return NEXT_STEPS.get(firstWord(reply));
    }

    private static String message(Throwable ex) {
        for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
            if (isOfClientsConnection(cause)) {
                return withReason(String.valueOf(cause.getMessage()).replace("/<unresolved>", ""), cause);
            }
        }
        // Spring's exceptions for both clients, whose own messages name no reason
        return withReason(String.valueOf(ex.getMessage()), ex);
    }

    private static String withReason(String message, Throwable ex) {
        String reason = innermost(ex);
        return message.contains(reason) ? message : message + ": " + reason;
    }

    /** The clients' classes are compared by name, because one of them may be missing. */
    private static boolean isOfClientsConnection(Throwable ex) {
        String type = ex.getClass().getName();
        return type.equals("io.lettuce.core.RedisConnectionException")
                || type.equals("redis.clients.jedis.exceptions.JedisConnectionException");
    }

    /** The innermost message, or an enclosing message that starts with it and adds the address. */
    private static String innermost(Throwable ex) {
        String reason = String.valueOf(ex.getMessage());
        for (Throwable cause = ex.getCause(); cause != null; cause = cause.getCause()) {
            String inner = cause.getMessage();
            reason = inner == null || reason.startsWith(inner) ? reason : inner;
        }
        return reason;
    }

    private static boolean hasCause(Throwable ex, Predicate<Throwable> condition) {
        for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
            if (condition.test(cause)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The effect of a failure without a reply. With {@code PartitionSelectorException}, Lettuce knows no node that
     * serves the slot and has sent nothing. The class is compared by name, because it is missing when Jedis is used.
     */
    private static Effect withoutReply(Throwable ex) {
        boolean nobodyToSendTo = ex.getClass().getName().equals("io.lettuce.core.cluster.PartitionSelectorException");
        return nobodyToSendTo || hasCause(ex, RedisErrors::isNotSent) ? Effect.NOT_DONE : Effect.UNKNOWN;
    }

    private static boolean isNotSent(Throwable ex) {
        return NOT_SENT.stream().anyMatch(String.valueOf(ex.getMessage())::startsWith);
    }

    /** Whether a server answered a handshake with an error, or its TLS failed. The next handshake would end likewise. */
    public static boolean isRefusedHandshake(Throwable thrown) {
        return !errorReply(thrown).isEmpty() || hasCause(thrown, SSLException.class::isInstance);
    }

    public static boolean isUnknownScript(Throwable thrown) {
        return "NOSCRIPT".equals(errorWord(thrown));
    }

    /** Whether a cluster refused a command because its keys belong to several slots. */
    public static boolean isOfSeveralSlots(Throwable thrown) {
        return "CROSSSLOT".equals(errorWord(thrown));
    }

    public static boolean isReplica(Throwable thrown) {
        String word = errorWord(thrown);
        return "READONLY".equals(word) || WAIT_ON_REPLICA.equals(word);
    }

    /** Whether a master refused a command because it has too few replicas. It may have been deposed. */
    public static boolean lacksReplicas(Throwable thrown) {
        return "NOREPLICAS".equals(errorWord(thrown));
    }

    public static boolean isNotPermitted(Throwable thrown) {
        return isNotPermitted(errorWord(thrown));
    }

    /** Whether the user may not run a command, or Redis does not have it under its usual name. */
    public static boolean isNotAvailable(Throwable thrown) {
        return isNotPermitted(thrown) || UNKNOWN_COMMAND.equals(errorWord(thrown));
    }

    private static boolean isNotPermitted(@Nullable String word) {
        return "NOPERM".equals(word) || NOT_PERMITTED_IN_SCRIPT.equals(word);
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
        for (Map.Entry<String, String> reply : REPLIES_BY_TEXT.entrySet()) {
            if (message.startsWith(reply.getKey())) {
                return reply.getValue();
            }
        }
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }
}

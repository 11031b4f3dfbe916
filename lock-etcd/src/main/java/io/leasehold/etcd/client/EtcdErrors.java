package io.leasehold.etcd.client;

import io.grpc.Status;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.List;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies failed calls by their possible effect.
 *
 * <ol>
 *   <li>A call that was never sent had no effect. It counts as refused if TLS failed and there is no other member, since
 *       a retry would fail as well.
 *   <li>A call that etcd rejected before it proposed a change had no effect: no leader is known, the lease does not
 *       exist, the member is a learner, or there are too many requests. A retry may succeed.
 *   <li>A call that etcd rejected because of its content, its user or missing space is refused.
 *   <li>Any other call may have had its effect: a timeout of etcd, a lost connection, a cancelled call.
 * </ol>
 */
public final class EtcdErrors {

    private static final String SERVER = "etcdserver: ";

    private static final String LEASE_NOT_FOUND = "requested lease not found";

    /**
     * What gRPC says if only one of client and server uses TLS. The server ends the connection, or answers in plain text.
     */
    private static final List<String> DIFFERENT_TLS = List.of(
            "Connection closed while performing TLS negotiation",
            "not an SSL/TLS record",
            "Network closed for unknown reason",
            // in place of each of the others, if the client reads the end of the connection first
            "Connection reset",
            "First received frame was not SETTINGS");

    private EtcdErrors() {}

    public static EtcdFailure of(Status status, boolean sent) {
        return new EtcdFailure(sent ? effectOfSent(status) : Effect.NOT_DONE, status);
    }

    /** The failure of a call that was not sent to the only member. */
    static EtcdFailure ofUnsentToOnlyMember(Status status) {
        return new EtcdFailure(isTlsFailure(status.getCause()) ? Effect.REFUSED : Effect.NOT_DONE, status);
    }

    /** The failure for a lease that has no time left according to etcd. */
    public static EtcdFailure leaseGone() {
        return of(Status.NOT_FOUND.withDescription(SERVER + LEASE_NOT_FOUND), true);
    }

    /** Whether a call failed because its lease does not exist; the call then had no other effect either. */
    public static boolean isLeaseGone(Throwable failure) {
        return unwrap(failure) instanceof EtcdFailure that
                && that.status().getCode() == Status.Code.NOT_FOUND
                && says(that.status(), LEASE_NOT_FOUND);
    }

    /** Whether a call failed because etcd does not accept the login any more; the call then had no effect. */
    public static boolean isLoginExpired(Throwable failure) {
        return unwrap(failure) instanceof EtcdFailure that
                && (that.status().getCode() == Status.Code.UNAUTHENTICATED
                        || says(that.status(), "revision of auth store is old"));
    }

    /** Whether the caller of a call has given up, or its deadline has passed, before there was an answer. */
    static boolean isGivenUp(Throwable failure) {
        return unwrap(failure) instanceof EtcdFailure that
                && (that.status().getCode() == Status.Code.CANCELLED
                        || that.status().getCode() == Status.Code.DEADLINE_EXCEEDED)
                && that.status().getCause() == null;
    }

    /** Whether a failure casts doubt on the member or on the connection to it. */
    public static boolean isMembersFault(Throwable failure, boolean slow) {
        if (!(unwrap(failure) instanceof EtcdFailure that)) {
            return false;
        }
        return switch (that.status().getCode()) {
            case UNAVAILABLE -> true;
            case FAILED_PRECONDITION -> isOfLearner(that.status());
            case INTERNAL -> says(that.status(), "Panic!");
            // a leader whose raft loop is stuck answers a keep-alive so, after a timeout of its own
            case UNKNOWN -> says(that.status(), "not a primary lessor");
            case CANCELLED, DEADLINE_EXCEEDED -> slow && isGivenUp(that);
            default -> false;
        };
    }

    /** Whether the member itself rejected the call, so that the connection to it works. */
    public static boolean isMembersAnswer(Throwable failure) {
        return unwrap(failure) instanceof EtcdFailure that && says(that.status(), SERVER);
    }

    /** Whether a call failed because its member belongs to another cluster than the other members. */
    public static boolean isOtherCluster(Throwable failure) {
        return unwrap(failure) instanceof EtcdFailure that && ClusterCheck.isOtherCluster(that.status());
    }

    /** Whether a failed call was refused, so that a repetition would be refused as well. */
    public static boolean isRefused(Throwable failure) {
        return unwrap(failure) instanceof BackendFailure that && that.effect() == Effect.REFUSED;
    }

    /**
     * Whether a failed call may have had its effect nevertheless. So may a refused one: etcd executes the request that
     * exceeds its space, and then answers that it has no space.
     */
    public static boolean mayHaveHappened(Throwable failure) {
        return !(unwrap(failure) instanceof BackendFailure that) || that.effect() != Effect.NOT_DONE;
    }

    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    public static boolean says(Status status, String words) {
        String description = status.getDescription();
        return description != null && description.contains(words);
    }

    /** Whether the connection failed because of TLS. */
    static boolean isTlsFailure(@Nullable Throwable failure) {
        return hasCause(failure, SSLException.class);
    }

    /** Whether a connection may have failed because only one of client and server uses TLS. */
    static boolean mayDifferInTls(Throwable failure) {
        return DIFFERENT_TLS.stream().anyMatch(String.valueOf(unwrap(failure).getMessage())::contains);
    }

    static boolean hasCause(@Nullable Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static Effect effectOfSent(Status status) {
        if (isOfLearner(status) || isLeaseOfAnother(status)) {
            return Effect.NOT_DONE;
        }
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, PERMISSION_DENIED, UNAUTHENTICATED, FAILED_PRECONDITION, UNIMPLEMENTED, DATA_LOSS ->
                Effect.REFUSED;
            case NOT_FOUND -> Effect.NOT_DONE;
            case UNAVAILABLE -> says(status, SERVER + "no leader") ? Effect.NOT_DONE : Effect.UNKNOWN;
            case RESOURCE_EXHAUSTED -> effectOfExhausted(status);
            default -> Effect.UNKNOWN;
        };
    }

    /** Whether the member is a learner, which answers no question about leases and keys. Others do. */
    private static boolean isOfLearner(Status status) {
        return says(status, "not supported for learner");
    }

    /** Whether another caller has the id of the lease that was to be granted, and perhaps a lock on it. */
    private static boolean isLeaseOfAnother(Status status) {
        return says(status, "lease already exists");
    }

    private static Effect effectOfExhausted(Status status) {
        if (says(status, SERVER + "too many requests")) {
            return Effect.NOT_DONE;
        }
        return says(status, SERVER) ? Effect.REFUSED : Effect.UNKNOWN;
    }
}

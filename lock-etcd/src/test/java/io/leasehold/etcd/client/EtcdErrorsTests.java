package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The meaning of etcd's errors. The tests with servers also cover those that can be provoked. */
class EtcdErrorsTests {

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, etcdserver: request timed out, UNKNOWN",
        "UNAVAILABLE, 'etcdserver: request timed out, possibly due to previous leader failure', UNKNOWN",
        "UNAVAILABLE, 'etcdserver: request timed out, possibly due to connection lost', UNKNOWN",
        "UNAVAILABLE, etcdserver: leader changed, UNKNOWN",
        "UNAVAILABLE, etcdserver: server stopped, UNKNOWN",
        "UNAVAILABLE, Network closed for unknown reason, UNKNOWN",
        "UNAVAILABLE, etcdserver: no leader, NOT_DONE",
        "NOT_FOUND, etcdserver: requested lease not found, NOT_DONE",
        "RESOURCE_EXHAUSTED, etcdserver: too many requests, NOT_DONE",
        "RESOURCE_EXHAUSTED, etcdserver: mvcc: database space exceeded, REFUSED",
        "RESOURCE_EXHAUSTED, gRPC message exceeds maximum size 4194304, UNKNOWN",
        "INVALID_ARGUMENT, etcdserver: request is too large, REFUSED",
        "INVALID_ARGUMENT, etcdserver: user name is empty, REFUSED",
        "PERMISSION_DENIED, etcdserver: permission denied, REFUSED",
        "UNAUTHENTICATED, etcdserver: invalid auth token, REFUSED",
        "FAILED_PRECONDITION, etcdserver: authentication is not enabled, REFUSED",
        "FAILED_PRECONDITION, etcdserver: rpc not supported for learner, NOT_DONE",
        "DATA_LOSS, etcdserver: corrupt cluster, REFUSED",
        "UNIMPLEMENTED, unknown service etcdserverpb.KV, REFUSED",
        "DEADLINE_EXCEEDED, context deadline exceeded, UNKNOWN",
        "CANCELLED, no caller waits for the answer any more, UNKNOWN",
        "UNKNOWN, raft proposal dropped, UNKNOWN",
        "INTERNAL, RST_STREAM closed stream, UNKNOWN",
    })
    void theEffectOfASentRequest(Status.Code code, String description, Effect effect) {
        Status status = code.toStatus().withDescription(description);
        assertThat(EtcdErrors.of(status, true).effect()).isEqualTo(effect);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED"})
    void anUnsentRequestHasNoEffect(Status.Code code) {
        assertThat(EtcdErrors.of(code.toStatus(), false).effect()).isEqualTo(Effect.NOT_DONE);
    }

    /** Otherwise the client would stay with a member that is added, although a majority answers. */
    @Test
    void aLearnerIsLeftForAnotherMember() {
        Status learner = Status.FAILED_PRECONDITION.withDescription("etcdserver: rpc not supported for learner");
        assertThat(EtcdErrors.isMembersFault(EtcdErrors.of(learner, true), false))
                .isTrue();
        Status other = Status.FAILED_PRECONDITION.withDescription("etcdserver: authentication is not enabled");
        assertThat(EtcdErrors.isMembersFault(EtcdErrors.of(other, true), false)).isFalse();
    }

    /** A leader whose raft loop is stuck, as on its disk, answers a keep-alive so after its own timeout of 7 s. */
    @Test
    void aLeaderThatIsStuckIsLeftForAnotherMember() {
        Status stuck = Status.UNKNOWN.withDescription("not a primary lessor");
        assertThat(EtcdErrors.isMembersFault(sent(stuck), false)).isTrue();
        Status other = Status.UNKNOWN.withDescription("raft proposal dropped");
        assertThat(EtcdErrors.isMembersFault(sent(other), false)).isFalse();
    }

    @Test
    void aTlsFailureOfTheOnlyMemberIsARefusal() {
        Status status = Status.UNAVAILABLE.withCause(new IllegalStateException(new SSLHandshakeException("no")));
        assertThat(EtcdErrors.ofUnsentToOnlyMember(status).effect()).isEqualTo(Effect.REFUSED);
        assertThat(EtcdErrors.of(status, false).effect()).isEqualTo(Effect.NOT_DONE);
        assertThat(EtcdErrors.ofUnsentToOnlyMember(Status.UNAVAILABLE).effect()).isEqualTo(Effect.NOT_DONE);
    }

    @Test
    void anExpiredLoginDiffersFromOtherFailures() {
        assertThat(EtcdErrors.isLoginExpired(sent(Status.UNAUTHENTICATED))).isTrue();
        assertThat(EtcdErrors.isLoginExpired(
                        sent(Status.INVALID_ARGUMENT.withDescription("etcdserver: revision of auth store is old"))))
                .isTrue();
        assertThat(EtcdErrors.isLoginExpired(sent(Status.PERMISSION_DENIED))).isFalse();
    }

    @Test
    void aMemberIsDoubtedWhenItIsAwayOrSilent() {
        assertThat(EtcdErrors.isMembersFault(sent(Status.UNAVAILABLE), false)).isTrue();
        assertThat(EtcdErrors.isMembersFault(sent(Status.CANCELLED), true)).isTrue();
        assertThat(EtcdErrors.isMembersFault(sent(Status.CANCELLED), false)).isFalse();
        assertThat(EtcdErrors.isMembersFault(sent(Status.PERMISSION_DENIED), true))
                .isFalse();
        assertThat(EtcdErrors.isMembersFault(new IllegalStateException(), true)).isFalse();
    }

    @Test
    void anUnknownOutcomeMayBeAnExecution() {
        assertThat(EtcdErrors.mayHaveHappened(new CompletionException(sent(Status.CANCELLED))))
                .isTrue();
        assertThat(EtcdErrors.mayHaveHappened(new IllegalStateException())).isTrue();
        assertThat(EtcdErrors.mayHaveHappened(EtcdErrors.leaseGone())).isFalse();
        assertThat(EtcdErrors.mayHaveHappened(
                        sent(Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: too many requests"))))
                .isFalse();
        assertThat(EtcdErrors.mayHaveHappened(
                        sent(Status.FAILED_PRECONDITION.withDescription("etcdserver: lease already exists"))))
                .isFalse();
    }

    @Test
    void aRequestThatExceedsTheSpaceIsRefusedAndMayBeExecuted() {
        EtcdFailure failure =
                sent(Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: mvcc: database space exceeded"));
        assertThat(EtcdErrors.isRefused(failure)).isTrue();
        assertThat(EtcdErrors.mayHaveHappened(failure)).isTrue();
    }

    private static EtcdFailure sent(Status status) {
        return EtcdErrors.of(status, true);
    }
}

package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testsupport.FailingLog;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterCheckTests {

    private static final URI ONE = URI.create("http://etcd-1:2379");

    private static final URI TWO = URI.create("http://etcd-2:2379");

    private final ClusterCheck check = new ClusterCheck(List.of(ONE, TWO));

    @Test
    void theFirstAnswerDecides() {
        assertThat(check.rejection(ONE, 10)).isNull();
        assertThat(check.rejection(TWO, 11)).contains("cluster b instead of a");
        assertThat(check.rejection(ONE, 10)).isNull();
        assertThat(check.rejection(TWO, 11)).isNotNull();
        assertThat(check.rejection(TWO, 10)).isNull();
    }

    @Test
    void aClusterThatReplacedTheFormerOneAtAllEndpointsIsAccepted() {
        assertThat(check.rejection(ONE, 10)).isNull();
        assertThat(check.rejection(TWO, 10)).isNull();
        assertThat(check.rejection(ONE, 11)).isNotNull();
        assertThat(check.rejection(TWO, 11)).isNull();
        assertThat(check.rejection(ONE, 11)).isNull();
        assertThat(check.rejection(ONE, 10)).isNotNull();
    }

    @Test
    void theReasonNamesTheEndpointsThatKeepAReplacedClusterFromBeingUsed() {
        URI three = URI.create("http://etcd-3:2379");
        ClusterCheck replaced = new ClusterCheck(List.of(ONE, TWO, three));
        for (URI endpoint : List.of(ONE, TWO, three)) {
            assertThat(replaced.rejection(endpoint, 10)).isNull();
        }
        assertThat(replaced.rejection(ONE, 11)).contains("http://etcd-2:2379, http://etcd-3:2379");
        assertThat(replaced.rejection(TWO, 11))
                .contains("start its members at http://etcd-3:2379", "'lock.etcd.endpoints'", "restart")
                .doesNotContain("etcd-2");
    }

    @Test
    void aLogThatFailsRefusesNoAnswer() {
        FailingLog.during(() -> {
            assertThat(check.rejection(ONE, 10)).isNull();
            assertThat(check.rejection(TWO, 10)).isNull();
            assertThat(check.rejection(ONE, 11)).isNotNull();
            assertThat(check.rejection(TWO, 11)).isNull();
        });
    }

    @Test
    void anAnswerWithoutAClusterIsAccepted() {
        assertThat(check.rejection(ONE, 10)).isNull();
        assertThat(check.rejection(TWO, 0)).isNull();
    }
}

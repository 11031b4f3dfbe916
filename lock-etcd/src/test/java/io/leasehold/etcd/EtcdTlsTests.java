package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.TlsChannelCredentials;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.testsupport.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** etcd with TLS that also requires the client's certificate. */
class EtcdTlsTests {

    @TempDir
    private static Path folder;

    private static TestCertificate certificate;

    private static EtcdCluster cluster;

    @BeforeAll
    static void start() {
        certificate = TestCertificate.create(folder);
        cluster = EtcdCluster.startWithTls(
                "--cert-file=" + certificate.certificate(),
                "--key-file=" + certificate.privateKey(),
                "--trusted-ca-file=" + certificate.certificate(),
                "--client-cert-auth");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aClientWithTrustAndACertificateLocks() throws IOException {
        EtcdOptions options = EtcdOptions.of(cluster.endpoints())
                .withTls(TlsChannelCredentials.newBuilder()
                        .trustManager(certificate.certificate().toFile())
                        .keyManager(
                                certificate.certificate().toFile(),
                                certificate.privateKey().toFile())
                        .build());
        try (EtcdLockBackend backend = new EtcdLockBackend(options, System::nanoTime, InstantSource.system())) {
            StoreClient store = new StoreClient(backend, "t");
            store.release(store.grant("a"));
        }
    }

    /** The members belong to different clusters, which does not matter here: only one of them ever answers. */
    @Test
    void amongOtherMembersOneThatIsNotTrustedIsSkipped(@TempDir Path other) throws IOException {
        TestCertificate trusted = TestCertificate.create(other);
        try (EtcdCluster next = EtcdCluster.startWithTls(
                "--cert-file=" + trusted.certificate(), "--key-file=" + trusted.privateKey())) {
            EtcdOptions untrusting =
                    EtcdOptions.of(cluster.member().endpoint(), next.member().endpoint());
            EtcdOptions options = untrusting.withTls(TlsChannelCredentials.newBuilder()
                    .trustManager(trusted.certificate().toFile())
                    .build());
            try (EtcdLockBackend backend = new EtcdLockBackend(options, System::nanoTime, InstantSource.system())) {
                assertThat(failure(backend).effect()).isEqualTo(Effect.NOT_DONE);
                StoreClient store = new StoreClient(backend, "t");
                store.release(store.grant("a"));
            }
            try (EtcdLockBackend backend = new EtcdLockBackend(options, System::nanoTime, InstantSource.system())) {
                assertThat(backend.connect().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
            }
            try (EtcdLockBackend backend = new EtcdLockBackend(untrusting, System::nanoTime, InstantSource.system())) {
                assertThat(backend.connect().toCompletableFuture())
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOfSatisfying(
                                BackendFailure.class,
                                failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED));
            }
        }
    }

    @Test
    void aServerThatIsNotTrustedIsRefused() {
        EtcdOptions options = EtcdOptions.of(cluster.endpoints());
        try (EtcdLockBackend backend = new EtcdLockBackend(options, System::nanoTime, InstantSource.system())) {
            assertThat(failure(backend).effect()).isEqualTo(Effect.REFUSED);
        }
    }

    @Test
    void aServerWithoutTheTlsOfTheClientIsNamedAsSuch() {
        assertThatNextStepIsTheScheme("https", SharedEtcd.endpoint());
        assertThatNextStepIsTheScheme("http", cluster.endpoints()[0]);
    }

    private static void assertThatNextStepIsTheScheme(String scheme, URI server) {
        EtcdOptions options = EtcdOptions.of(URI.create(scheme + "://" + server.getAuthority()));
        try (EtcdLockBackend backend = new EtcdLockBackend(options, System::nanoTime, InstantSource.system())) {
            assertThat(backend.connect().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("no connection to etcd at " + scheme + "://" + server.getAuthority())
                    .withMessageContaining("See whether the server uses TLS");
        }
    }

    private static BackendFailure failure(EtcdLockBackend backend) {
        StoreClient store = new StoreClient(backend, "t");
        AcquireCommand command = new AcquireCommand(store.id("a"), store.token(), StoreClient.LONG, 1, false);
        CompletionStage<AcquireAnswer> answer = backend.acquire(command);
        return (BackendFailure) catchThrowableOfType(
                        ExecutionException.class,
                        () -> answer.toCompletableFuture().get(10, SECONDS))
                .getCause();
    }
}

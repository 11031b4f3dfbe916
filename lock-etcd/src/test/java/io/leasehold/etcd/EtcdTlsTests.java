package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.TlsChannelCredentials;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.testsupport.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
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

    @Test
    void aServerThatIsNotTrustedIsRefused() {
        EtcdOptions options = EtcdOptions.of(cluster.endpoints());
        try (EtcdLockBackend backend = new EtcdLockBackend(options, System::nanoTime, InstantSource.system())) {
            StoreClient store = new StoreClient(backend, "t");
            assertThatThrownBy(() -> backend.acquire(
                                    new AcquireCommand(store.id("a"), store.token(), StoreClient.LONG, 1, false))
                            .toCompletableFuture()
                            .get(10, SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED));
        }
    }
}

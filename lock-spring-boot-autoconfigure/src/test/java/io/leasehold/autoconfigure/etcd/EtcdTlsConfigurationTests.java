package io.leasehold.autoconfigure.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.testsupport.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A real etcd that speaks TLS, asks for the client's certificate and wants a login; all by properties. */
class EtcdTlsConfigurationTests {

    @TempDir
    private static Path folder;

    private static EtcdCluster cluster;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.backend=etcd", "lock.lockers.deploy.ttl=30s");

    @BeforeAll
    static void start() {
        TestCertificate certificate = TestCertificate.create(folder);
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
    void anSslBundleSaysWhatToTrustAndToShow() {
        runner.withPropertyValues(bundle())
                .withPropertyValues("lock.etcd.endpoints=" + cluster.endpoints()[0], "lock.etcd.ssl.bundle=etcd")
                .run(context -> {
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    try (LockHandle handle = deploy.lock("service-a")) {
                        assertThat(handle.isHeld()).isTrue();
                        assertThat(deploy.tryLock("service-a")).isEmpty();
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({
        "enabled-protocols=TLSv1.2, true",
        "ciphers=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, true",
        "enabled-protocols=TLSv1.1, false",
        "ciphers=TLS_DHE_DSS_WITH_AES_128_CBC_SHA, false",
    })
    void aBundleMayRestrictProtocolsAndCiphers(String option, boolean serverHasThem) {
        runner.withPropertyValues(bundle())
                .withPropertyValues("spring.ssl.bundle.pem.etcd.options." + option, "lock.defaults.wait-time=0s")
                .withPropertyValues("lock.etcd.endpoints=" + cluster.endpoints()[0], "lock.etcd.ssl.bundle=etcd")
                .run(context -> {
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    if (serverHasThem) {
                        deploy.lock("service-b").close();
                    } else {
                        assertThatThrownBy(() -> deploy.lock("service-b")).isInstanceOf(LockBackendException.class);
                    }
                });
    }

    /** They may be those of another client of the application. */
    @Test
    void endpointsWithoutTlsNeedNoCredentials() {
        runner.withPropertyValues("lock.etcd.endpoints=http://localhost:1")
                .withBean(ChannelCredentials.class, InsecureChannelCredentials::create)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutABundleTheServerIsNotTrusted() {
        runner.withPropertyValues("lock.etcd.endpoints=" + cluster.endpoints()[0], "lock.defaults.wait-time=0s")
                .run(context -> assertThatThrownBy(() ->
                                context.getBean("deployLocker", Locker.class).lock("service-a"))
                        .isInstanceOf(LockBackendException.class));
    }

    @Test
    void anUnknownBundleIsRefused() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues("lock.etcd.endpoints=https://localhost:1", "lock.etcd.ssl.bundle=missing"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.etcd.ssl.bundle' must be the name of an SSL bundle: 'missing'.");
    }

    @Test
    void aBundleWithoutHttpsIsRefused() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(bundle())
                .withPropertyValues("lock.etcd.endpoints=http://localhost:1", "lock.etcd.ssl.bundle=etcd"));

        assertThat(analysis.getDescription()).startsWith("'lock.etcd.ssl.bundle' needs https endpoints: 'etcd'.");
    }

    private static String[] bundle() {
        String bundle = "spring.ssl.bundle.pem.etcd.";
        return new String[] {
            bundle + "truststore.certificate=file:" + folder.resolve("certificate.pem"),
            bundle + "keystore.certificate=file:" + folder.resolve("certificate.pem"),
            bundle + "keystore.private-key=file:" + folder.resolve("key.pem")
        };
    }
}

package io.leasehold.mistakes;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.testsupport.TestCertificate;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An etcd that cannot be reached, is not trusted, or refuses. */
class EtcdMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=etcd", "lock.lockers.deploy.wait-time=0s");

    @Test
    void wrongPort() {
        lock("lock.etcd.endpoints=http://127.0.0.1:1");
    }

    @Test
    void unknownHost() {
        lock("lock.etcd.endpoints=http://etcd.invalid:2379");
    }

    @Test
    void untrustedCertificate(@TempDir Path folder) {
        TestCertificate certificate = TestCertificate.create(folder);
        try (EtcdCluster etcd = EtcdCluster.startWithTls(
                "--cert-file=" + certificate.certificate(),
                "--key-file=" + certificate.privateKey(),
                "--trusted-ca-file=" + certificate.certificate(),
                "--client-cert-auth")) {
            lock("lock.etcd.endpoints=" + etcd.endpoints()[0]);
        }
    }

    @Test
    void wrongLogin() {
        try (EtcdCluster etcd = EtcdCluster.start(1);
                EtcdAdmin admin = EtcdCluster.admin(etcd.member())) {
            admin.requireLogin("shop", "secret", "shop/");
            lock("lock.etcd.endpoints=" + etcd.endpoints()[0], "lock.etcd.user=shop", "lock.etcd.password=wrong");
        }
    }

    @Test
    void keysNotPermitted() {
        try (EtcdCluster etcd = EtcdCluster.start(1);
                EtcdAdmin admin = EtcdCluster.admin(etcd.member())) {
            admin.requireLogin("shop", "secret", "shop/");
            lock("lock.etcd.endpoints=" + etcd.endpoints()[0], "lock.etcd.user=shop", "lock.etcd.password=secret");
        }
    }

    private void lock(String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertOnPage(Assertions.catchThrowable(
                        () -> context.getBean("deployLocker", Locker.class).lock("service-a"))));
    }
}

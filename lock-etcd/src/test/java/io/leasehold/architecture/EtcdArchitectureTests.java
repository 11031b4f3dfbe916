package io.leasehold.architecture;

import io.leasehold.etcd.EtcdLockBackend;
import java.util.List;

/** The packages of lock-etcd and the packages that each of them may see. */
class EtcdArchitectureTests extends ArchitectureContract {

    private static final PackageRule ETCD = PackageRule.of("etcd", "", "spi", "support", "etcd.client")
            .with("org.slf4j", "io.etcd.jetcd", "io.grpc", "com.google.protobuf", "com.google.common");

    private static final PackageRule CLIENT = PackageRule.of("etcd.client", "spi", "support")
            .with("org.slf4j", "io.etcd.jetcd", "io.grpc", "com.google.protobuf", "com.google.common", "javax.net.ssl");

    EtcdArchitectureTests() {
        super(EtcdLockBackend.class, List.of(ETCD, CLIENT));
    }
}

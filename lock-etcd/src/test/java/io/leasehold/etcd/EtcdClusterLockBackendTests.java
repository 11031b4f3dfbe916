package io.leasehold.etcd;

import io.leasehold.servers.etcd.EtcdCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** etcd, a cluster of three. */
@Tag("slow")
class EtcdClusterLockBackendTests extends EtcdContract {

    EtcdClusterLockBackendTests() {
        super(EtcdCluster.sharedOfThree().endpoints());
    }

    /** Uses the shortest lease that etcd grants, two seconds. */
    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(1_500);
    }
}

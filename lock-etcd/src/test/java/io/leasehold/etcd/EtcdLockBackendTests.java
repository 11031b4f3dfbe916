package io.leasehold.etcd;

import io.leasehold.servers.etcd.SharedEtcd;
import java.time.Duration;

/** etcd, one member. */
class EtcdLockBackendTests extends EtcdContract {

    EtcdLockBackendTests() {
        super(SharedEtcd.endpoint());
    }

    /** Uses the shortest lease that this etcd grants, one second. */
    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(500);
    }
}

package io.leasehold.architecture;

import io.leasehold.contract.LockBackendContract;
import java.util.List;

/** The packages of lock-test and the packages that each of them may see. */
class LockTestArchitectureTests extends ArchitectureContract {

    LockTestArchitectureTests() {
        super(
                LockBackendContract.class,
                List.of(
                        PackageRule.of("contract", "", "spi")
                                .with("org.assertj", "org.awaitility", "org.junit.jupiter"),
                        PackageRule.of("test", "", "spi", "support", "engine", "memory")
                                .with("org.assertj.core.api", "org.junit.jupiter.api.extension", "reactor")));
    }

    /** The contract suite measures stores in real time; the test kit does not read the time. */
    @Override
    protected String[] clockReaders() {
        return new String[] {
            "io.leasehold.contract.Grant",
            "io.leasehold.contract.HotLock",
            "io.leasehold.contract.LockBackendContract",
            "io.leasehold.contract.LockLoad$RandomCaller"
        };
    }
}

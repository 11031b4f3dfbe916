package io.leasehold.architecture;

import io.leasehold.test.autoconfigure.AutoConfigureTestLocks;
import java.util.List;

/** The package of lock-spring-boot-starter-test and what it may see. */
class StarterTestArchitectureTests extends ArchitectureContract {

    StarterTestArchitectureTests() {
        super(
                AutoConfigureTestLocks.class,
                List.of(PackageRule.of(
                                "test.autoconfigure",
                                "",
                                "spi",
                                "engine",
                                "test",
                                "autoconfigure",
                                "autoconfigure.backend",
                                "autoconfigure.locker",
                                "autoconfigure.property")
                        .with("org.springframework")));
    }
}

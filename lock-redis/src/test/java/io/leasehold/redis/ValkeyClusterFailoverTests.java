package io.leasehold.redis;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster of Valkey replaces a master that hangs and comes back. */
@Tag("slow")
@ExtendWith(OnValkey.class)
class ValkeyClusterFailoverTests extends ClusterFailoverTests {

    @Override
    @ParameterizedTest
    @EnumSource(names = "STOPPED")
    void aMasterIsReplacedUnderLoad(MasterFault fault) {
        super.aMasterIsReplacedUnderLoad(fault);
    }
}

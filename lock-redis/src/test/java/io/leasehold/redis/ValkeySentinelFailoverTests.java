package io.leasehold.redis;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sentinels of Valkey replace a master that hangs and comes back. */
@Tag("slow")
@ExtendWith(OnValkey.class)
class ValkeySentinelFailoverTests extends SentinelFailoverTests {

    @Override
    @ParameterizedTest
    @EnumSource(names = "STOPPED")
    void aMasterIsReplacedUnderLoad(MasterFault fault) {
        super.aMasterIsReplacedUnderLoad(fault);
    }
}

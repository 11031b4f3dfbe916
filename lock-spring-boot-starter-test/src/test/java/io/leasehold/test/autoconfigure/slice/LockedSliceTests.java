package io.leasehold.test.autoconfigure.slice;

import static io.leasehold.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.test.TestLocks;
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Import;

/** A slice that includes a locked service, with the locks of the test kit. */
@DataJpaTest
@AutoConfigureTestLocks
@Import(Payments.class)
class LockedSliceTests {

    @Test
    void aLockedServiceIsTestedWithTheTestKit(
            @Autowired Payments payments,
            @Autowired Invoices invoices,
            @Autowired Locker locker,
            @Autowired TestLocks locks) {
        invoices.save(new Invoice("a", 7));
        assertThat(payments.pay("a").amount()).isEqualTo(7);
        locks.holdElsewhere("k");
        assertThat(locker).isLocked("k");
    }
}

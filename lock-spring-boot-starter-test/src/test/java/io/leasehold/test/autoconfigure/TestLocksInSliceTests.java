package io.leasehold.test.autoconfigure;

import static io.leasehold.test.LockAssertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

/** A context without auto-configuration of its own, as a slice has, and without any property of locks. */
@SpringBootTest(classes = TestLocksInSliceTests.Slice.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureTestLocks
class TestLocksInSliceTests {

    @Test
    void lockersAreThere(@Autowired Locker locker, @Autowired TestLocks locks) {
        locks.holdElsewhere("k");
        assertThat(locker).isLocked("k");
    }

    @Configuration(proxyBeanMethods = false)
    static class Slice {}
}

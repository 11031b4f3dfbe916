package io.leasehold.kotlin

import io.leasehold.Locker
import org.junit.jupiter.api.Tag
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.test.context.TestPropertySource

/** A scheduled suspending function that is started on a virtual thread. */
@Tag("jdk25")
@TestPropertySource(properties = ["spring.threads.virtual.enabled=true"])
class SuspendingJobOnVirtualThreadsTests(
    @Autowired job: Job,
    @Autowired otherInstance: OtherInstance,
    @Autowired attempts: Attempts,
    @Autowired reportLocker: Locker,
) : SuspendingJobTests(job, otherInstance, attempts, reportLocker) {

    override val thread = "VirtualThread["
}

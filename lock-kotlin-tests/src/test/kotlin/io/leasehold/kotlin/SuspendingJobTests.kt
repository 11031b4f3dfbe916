package io.leasehold.kotlin

import io.leasehold.LockAttempt
import io.leasehold.LockHandle
import io.leasehold.LockListener
import io.leasehold.Locker
import io.leasehold.annotation.SingleInstance
import kotlinx.coroutines.delay
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.TestConfiguration
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension
import org.springframework.context.annotation.Import
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled
import org.springframework.stereotype.Component
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference

/** A scheduled suspending function, whose lock another instance has at first. */
@SpringBootTest(properties = ["lock.backend=memory", "lock.lockers.deploy.ttl=30s", "lock.lockers.report.ttl=30s"])
@Import(
    SuspendingJobTests.Scheduling::class,
    SuspendingJobTests.OtherInstance::class,
    SuspendingJobTests.Job::class,
    SuspendingJobTests.Attempts::class,
)
@ExtendWith(OutputCaptureExtension::class)
open class SuspendingJobTests(
    @param:Autowired val job: Job,
    @param:Autowired val otherInstance: OtherInstance,
    @param:Autowired val attempts: Attempts,
    @param:Autowired val reportLocker: Locker,
) {

    protected open val thread = "Thread["

    @Test
    fun aSuspendingJobIsSkippedWithoutAnErrorLine(output: CapturedOutput) {
        await().atMost(SOON).until { attempts.notAcquired() >= 3 }
        assertThat(job.started()).isZero()
        otherInstance.lock.close()
        await().atMost(SOON).until { job.ended() >= 1 }
        assertThat(job.started()).isEqualTo(1)
        assertThat(job.thread()).startsWith(thread)
        assertThat(reportLocker.tryLock("job")).isEmpty()
        assertThat(output).doesNotContain("ERROR").doesNotContain("Exception")
    }

    class Attempts : LockListener {

        private val notAcquired = AtomicInteger()

        fun notAcquired() = notAcquired.get()

        override fun acquireEnded(attempt: LockAttempt, outcome: LockListener.AcquireOutcome, waited: Duration) {
            if (outcome == LockListener.AcquireOutcome.TIMEOUT) {
                notAcquired.incrementAndGet()
            }
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    @EnableScheduling
    class Scheduling

    /** Has the lock before the scheduler starts. */
    class OtherInstance(@Qualifier("report") locker: Locker) {

        val lock: LockHandle = locker.lock("job")
    }

    @Component
    class Job {

        private val started = AtomicInteger()

        private val ended = AtomicInteger()

        private val thread = AtomicReference<String>()

        @Scheduled(fixedDelay = 5)
        @SingleInstance(key = "'job'", locker = "report", minHoldTime = "10m")
        suspend fun run() {
            started.incrementAndGet()
            thread.set(Thread.currentThread().toString())
            delay(1)
            ended.incrementAndGet()
        }

        fun started() = started.get()

        fun ended() = ended.get()

        fun thread(): String = thread.get()
    }

    private companion object {

        val SOON: Duration = Duration.ofSeconds(30)
    }
}

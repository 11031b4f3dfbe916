package io.leasehold.kotlin

import io.leasehold.Locker
import io.leasehold.test.ReactiveLockAssert
import io.leasehold.test.TestLocks
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

/** Lockers and annotated methods in Kotlin. */
@SpringBootTest(properties = ["lock.lockers.deploy.ttl=30s", "lock.lockers.report.ttl=30s"])
@AutoConfigureTestLocks
class KotlinTests(
    @param:Autowired val deployments: Deployments,
    @param:Autowired val deployLocker: Locker,
    @param:Autowired val locks: TestLocks,
) {

    private val approval = Deployments.Approval()

    @Test
    fun aSuspendingMethodHoldsItsLockUntilItReturns() = runBlocking {
        val deployment = async { deployments.deploy("shop", approval) }
        approval.awaited.await()
        assertThat(locks.held("shop").isHeld).isTrue()
        assertThat(deployLocker.tryLock("shop")).isEmpty()
        approval.given.complete("deployed")
        assertThat(deployment.await()).isEqualTo("shop deployed")
        assertThat(locks.held()).isEmpty()
    }

    @Test
    fun aSuspendingBodyIsUnderItsLock() = runBlocking {
        val lock = deployments.exclusively("shop") { ReactiveLockAssert.assertHeld().awaitSingle() }
        assertThat(lock.key()).isEqualTo("shop")
        assertThat(lock.isHeld).isFalse()
        Unit
    }

    @Test
    fun aCancelledCoroutineReleasesItsLock() = runBlocking {
        val deployment = async { deployments.deploy("shop", approval) }
        approval.awaited.await()
        deployment.cancelAndJoin()
        deployLocker.lock("shop").use { lock -> assertThat(lock.isHeld).isTrue() }
        Unit
    }

    @Test
    fun aSkippedMethodReturnsNullOrNothing() = runBlocking {
        locks.holdElsewhere("shop").use {
            assertThat(deployments.deployUnlessBusy("shop")).isNull()
            assertThat(deployments.findUnlessBusy("shop")).isEmpty()
        }
        assertThat(deployments.deployUnlessBusy("shop")).isEqualTo("shop deployed")
        Unit
    }

    @Test
    fun aLockEndsWithItsBlock() {
        val first = deployments.version("shop")
        assertThat(locks.held()).isEmpty()
        assertThat(deployments.version("shop")).isGreaterThan(first)
    }
}

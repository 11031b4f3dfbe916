package io.leasehold.kotlin

import io.leasehold.LockContext
import io.leasehold.LockNotAcquiredException
import io.leasehold.LockRequest
import io.leasehold.Locker
import io.leasehold.annotation.DistributedLock
import io.leasehold.annotation.OnFailure
import io.leasehold.autoconfigure.LockAspectAutoConfiguration
import io.leasehold.autoconfigure.LockAutoConfiguration
import io.leasehold.test.LockAssert
import io.leasehold.test.ReactiveLockAssert
import io.leasehold.test.TestLocks
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks
import java.time.Duration
import java.util.concurrent.Callable
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.aopalliance.intercept.MethodInterceptor
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource
import org.slf4j.MDC
import org.springframework.aop.framework.ProxyFactory
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.core.PropagationContextElement

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
    fun aSuspendingBodyIsUnderItsLockOnEachThread() = runBlocking {
        val lock = deployments.exclusively("shop") {
            val first = LockAssert.assertHeld("shop")
            assertThat(MDC.get("lock.fencingToken")).isEqualTo(first.fencingToken().toString())
            withContext(Dispatchers.IO) { assertThat(LockAssert.assertHeld("shop")).isSameAs(first) }
            delay(1)
            assertThat(ReactiveLockAssert.assertHeld().awaitSingle()).isSameAs(first)
            LockAssert.assertHeld("shop")
        }
        assertThat(lock.isHeld).isFalse()
        LockAssert.assertNotLocked()
        assertThat(MDC.get("lock.fencingToken")).isNull()
    }

    @Test
    fun aSuspendingBodyIsUnderTheLocksAroundIt() = runBlocking {
        deployments.exclusively("shop") {
            deployments.exclusively("basket") {
                LockAssert.assertHeld("shop")
                assertThat(LockAssert.assertHeld().key()).isEqualTo("basket")
            }
            assertThat(LockAssert.assertHeld().key()).isEqualTo("shop")
        }
        Unit
    }

    @Test
    fun nestedCallsJoinTheLockOfASuspendingFunction() = runBlocking {
        deployments.exclusively("shop") {
            assertThat(deployments.deployUnlessBusy("shop")).isEqualTo("shop deployed")
            assertThat(deployments.versionWithoutSuspending("shop")).isEqualTo(LockAssert.assertHeld().fencingToken())
            deployLocker.executeLocked("shop", Runnable { LockAssert.assertHeld("shop") })
        }
        assertThat(locks.held()).isEmpty()
    }

    /** Spring's element restores the locks of the Reactor context, which belong to no thread, on each thread of the coroutine. */
    @Test
    fun nestedCallsJoinTheLockUnderAnElementThatCarriesTheContext() = runBlocking {
        deployments.exclusively("shop") {
            val lock = LockAssert.assertHeld("shop")
            withContext(Dispatchers.IO + PropagationContextElement()) {
                assertThat(deployments.versionWithoutSuspending("shop")).isEqualTo(lock.fencingToken())
                delay(1)
                val joined = deployLocker.executeLocked(withoutWaiting("shop"), Callable { LockAssert.assertHeld("shop") })
                assertThat(joined).isSameAs(lock)
            }
            assertThat(deployments.versionWithoutSuspending("shop")).isEqualTo(lock.fencingToken())
        }
        LockAssert.assertNotLocked()
    }

    /** The coroutine has entered its own lock only, and sees that of the publisher around it. */
    @Test
    fun underSuchAnElementACallJoinsTheLockOfTheCoroutineAndNotThatOfAPublisherAroundIt() = runBlocking {
        val work = mono {
            deployments.exclusively("shop") {
                withContext(Dispatchers.IO + PropagationContextElement()) {
                    assertThat(LockContext.all().map { it.key() }).containsExactly("shop", "basket")
                    assertThat(LockContext.allOwn().map { it.key() }).containsExactly("shop")
                    deployments.versionWithoutSuspending("shop")
                }
            }
        }
        assertThat(deployments.reactively("basket", work).awaitSingle()).isPositive()
        Unit
    }

    /** Another coroutine may go on after the end of the function. */
    @Test
    fun anElementThatCarriesTheContextToAnotherCoroutineLetsNoCallJoin() = runBlocking {
        deployments.exclusively("shop") {
            val carried = currentCoroutineContext()[ReactorContext]!!
            val other =
                CoroutineScope(Dispatchers.IO + carried + PropagationContextElement()).async {
                    LockAssert.assertHeld("shop")
                    LockContext.allOwn()
                }
            assertThat(other.await()).isEmpty()
        }
        Unit
    }

    @Test
    fun aNestedCallToleratesTheLossAsItsOuterCallDoes() = runBlocking {
        val result = deployments.tolerantly("shop") {
            deployments.exclusively("shop") {
                locks.lose("shop")
                delay(1)
                deployments.versionWithoutSuspending("shop")
                withContext(Dispatchers.IO) { deployments.exclusively("shop") { "deployed" } }
            }
        }
        assertThat(result).isEqualTo("deployed")
        Unit
    }

    @Test
    fun aCallThatDoesNotJoinIsRefusedInsteadOfWaitingForItself() = runBlocking {
        deployments.exclusively("shop") {
            assertThatExceptionOfType(LockNotAcquiredException::class.java)
                .isThrownBy { deployLocker.lock("shop") }
                .withMessageContaining("the calling thread works under this lock")
        }
        Unit
    }

    /** Until it is suspended, a coroutine has the frame of the locked method. After that, only those that it continues. */
    @ParameterizedTest
    @CsvSource("false, io.leasehold.kotlin.Deployments.exclusively", "true, io.leasehold.kotlin.KotlinTests")
    fun theMessageOfARefusalNamesThePlaceInTheCoroutine(suspended: Boolean, place: String): Unit = runBlocking {
        withContext(Dispatchers.Default) {
            deployments.exclusively("shop") {
                if (suspended) {
                    yield()
                }
                assertThatExceptionOfType(LockNotAcquiredException::class.java)
                    .isThrownBy { deployLocker.lock("shop") }
                    .withMessageContaining("works under this lock, in $place")
            }
        }
    }

    @Test
    fun aCoroutineOfRunBlockingJoinsOnlyWithTheContextOfTheOuterOne() = runBlocking {
        deployments.exclusively("shop") {
            val context = currentCoroutineContext()
            assertThat(runBlocking(context) { deployments.deployUnlessBusy("shop") }).isEqualTo("shop deployed")
            assertThat(runBlocking { deployments.exclusively("basket") { deployments.deployUnlessBusy("shop") } }).isNull()
        }
        Unit
    }

    @Test
    fun aLockedMethodOfACompanionObjectIsRefused() {
        ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(LockAutoConfiguration::class.java, LockAspectAutoConfiguration::class.java)
            )
            .withPropertyValues("lock.backend=memory")
            .withBean(WithCompanion::class.java)
            .run { context ->
                assertThat(context.startupFailure)
                    .hasStackTraceContaining("WithCompanion\$Factory.deploy()")
                    .hasStackTraceContaining("it belongs to a companion object")
            }
    }

    open class WithCompanion {

        companion object Factory {

            @DistributedLock("'shop'") fun deploy(): String = "deployed"
        }
    }

    @Test
    fun aHandleParameterIsFilled() = runBlocking {
        assertThat(deployments.token("shop")).isPositive()
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

    @ParameterizedTest
    @ValueSource(strings = ["itself", "locked", "advised"])
    fun aCancelledCoroutineHoldsItsLockUntilItsWorkHasEnded(callee: String) = runBlocking {
        val deployment = async {
            deployments.exclusively("shop") {
                when (callee) {
                    "locked" -> deployments.exclusively("shop") { work() }
                    "advised" -> advised.call { work() }
                    else -> work()
                }
            }
        }
        approval.awaited.await()
        deployment.cancelAndJoin()
        assertThat(deployLocker.tryLock("shop")).isEmpty()
        approval.given.complete("deployed")
        // the work goes on on this thread
        while (locks.held().isNotEmpty()) yield()
    }

    /** As with a timeout. */
    @Test
    fun aFunctionHoldsItsLockUntilACallThatItCancelledHasEnded() = runBlocking {
        val cancelled = CompletableDeferred<Unit>()
        val deployment = async {
            deployments.exclusively("shop") {
                coroutineScope {
                    val call = launch { advised.call { work() } }
                    approval.awaited.await()
                    call.cancelAndJoin()
                }
                cancelled.complete(Unit)
            }
            approval.given.isCompleted
        }
        cancelled.await()
        yield()
        assertThat(deployLocker.tryLock("shop")).isEmpty()
        approval.given.complete("deployed")
        assertThat(deployment.await()).isTrue()
        assertThat(locks.held()).isEmpty()
    }

    /** The application ends it later. */
    @Test
    fun aFunctionDoesNotWaitForACoroutineThatItLeavesRunning() = runBlocking {
        val left = CompletableDeferred<Job>()
        deployments.exclusively("shop") {
            val scope = CoroutineScope(currentCoroutineContext() + SupervisorJob())
            left.complete(scope.launch { work() })
            approval.awaited.await()
        }
        assertThat(left.await().isActive).isTrue()
        assertThat(locks.held()).isEmpty()
        approval.given.complete("deployed")
        left.await().join()
    }

    private fun withoutWaiting(key: String) = LockRequest.of(key).withWaitTime(Duration.ZERO)

    private suspend fun work() {
        approval.awaited.complete(Unit)
        withContext(NonCancellable) { approval.given.await() }
    }

    /** A bean with any other advice, for which Spring runs the function in a coroutine without a parent. */
    private val advised =
        ProxyFactory(Advised()).apply { addAdvice(MethodInterceptor { call -> call.proceed() }) }.proxy as Advised

    open class Advised {

        open suspend fun call(work: suspend () -> Unit) = work()
    }

    /** A client of a web application may disconnect at this moment. */
    @Test
    fun aCoroutineThatIsCancelledWhileItBeginsDoesNotRunWithoutItsLock() = runBlocking {
        val held = CopyOnWriteArrayList<Boolean>()
        val otherInstance = locks.holdElsewhere("shop")
        val deployment = launch(Dispatchers.Unconfined + CancelledByItsCallee()) {
            deployments.exclusively("shop") { held.add(LockContext.current().orElseThrow().isHeld) }
        }
        otherInstance.close()
        deployment.join()
        assertThat(held).doesNotContain(false)
        while (locks.held().isNotEmpty()) yield()
    }

    /** Cancels the coroutine that begins with it, as soon as another one begins or goes on for a function that it calls. */
    private class CancelledByItsCallee :
        AbstractCoroutineContextElement(CancelledByItsCallee), ThreadContextElement<Unit> {

        private var caller: Job? = null

        override fun updateThreadContext(context: CoroutineContext) {
            val caller = this.caller
            when {
                caller == null -> this.caller = context.job
                caller !== context.job -> caller.cancel()
            }
        }

        override fun restoreThreadContext(context: CoroutineContext, oldState: Unit) = Unit

        companion object Key : CoroutineContext.Key<CancelledByItsCallee>
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

    @Test
    fun skipIsRefusedForAResultThatIsNeverNull() {
        ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(LockAutoConfiguration::class.java, LockAspectAutoConfiguration::class.java)
            )
            .withPropertyValues("lock.backend=memory")
            .withBean(NeverNull::class.java)
            .run { context ->
                assertThat(context.startupFailure).hasStackTraceContaining("NeverNull.deploy(").hasStackTraceContaining("SKIP")
            }
    }

    open class NeverNull {

        @DistributedLock(key = "'shop'", onFailure = OnFailure.SKIP) open suspend fun deploy(): String = "deployed"
    }
}

package io.leasehold.kotlin

import io.leasehold.LockLostException
import io.leasehold.test.TestLocks
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.TestConfiguration
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Component
import org.springframework.transaction.TransactionDefinition
import org.springframework.transaction.annotation.EnableTransactionManagement
import org.springframework.transaction.annotation.Transactional
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager
import org.springframework.transaction.reactive.GenericReactiveTransaction
import org.springframework.transaction.reactive.TransactionSynchronizationManager
import reactor.core.publisher.Mono

/** Transactions of suspending functions, inside of a lock. */
@SpringBootTest(properties = ["lock.lockers.deploy.ttl=30s"])
@AutoConfigureTestLocks
@Import(
    SuspendingTransactionTests.Transactions::class,
    SuspendingTransactionTests.RecordingManager::class,
    SuspendingTransactionTests.Orders::class,
)
class SuspendingTransactionTests(
    @param:Autowired val deployments: Deployments,
    @param:Autowired val orders: Orders,
    @param:Autowired val manager: RecordingManager,
    @param:Autowired val locks: TestLocks,
) {

    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun aLossPreventsTheCommit(ofAFlow: Boolean) {
        manager.ends.clear()
        assertThatExceptionOfType(LockLostException::class.java).isThrownBy {
            runBlocking { deployments.exclusively("shop") { place(ofAFlow) { locks.lose("shop") } } }
        }
        assertThat(manager.ends).containsExactly("rollback")
    }

    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun aTransactionUnderItsLockCommits(ofAFlow: Boolean): Unit = runBlocking {
        manager.ends.clear()
        deployments.exclusively("shop") { place(ofAFlow) {} }
        assertThat(manager.ends).containsExactly("commit")
    }

    private suspend fun place(ofAFlow: Boolean, then: () -> Unit) {
        if (ofAFlow) orders.placed(then).toList() else orders.place(then)
    }

    @Component
    class Orders {

        @Transactional
        suspend fun place(then: () -> Unit) {
            delay(1)
            then()
        }

        @Transactional
        suspend fun placed(then: () -> Unit): Flow<Int> = flow {
            delay(1)
            emit(1)
            then()
        }
    }

    @TestConfiguration(proxyBeanMethods = false) @EnableTransactionManagement(proxyTargetClass = true) class Transactions

    class RecordingManager : AbstractReactiveTransactionManager() {

        val ends = CopyOnWriteArrayList<String>()

        override fun doGetTransaction(synchronizations: TransactionSynchronizationManager) = Any()

        override fun doBegin(
            synchronizations: TransactionSynchronizationManager,
            transaction: Any,
            definition: TransactionDefinition,
        ): Mono<Void> = Mono.empty()

        override fun doCommit(
            synchronizations: TransactionSynchronizationManager,
            status: GenericReactiveTransaction,
        ): Mono<Void> = Mono.fromRunnable { ends.add("commit") }

        override fun doRollback(
            synchronizations: TransactionSynchronizationManager,
            status: GenericReactiveTransaction,
        ): Mono<Void> = Mono.fromRunnable { ends.add("rollback") }
    }
}

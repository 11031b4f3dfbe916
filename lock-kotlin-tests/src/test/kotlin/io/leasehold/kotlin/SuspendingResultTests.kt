package io.leasehold.kotlin

import io.leasehold.annotation.DistributedLock
import io.leasehold.autoconfigure.LockAspectAutoConfiguration
import io.leasehold.autoconfigure.LockAutoConfiguration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** Suspending functions whose result goes on after the function has returned. */
class SuspendingResultTests {

    @Test
    fun aFlowIsRefused() {
        ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(LockAutoConfiguration::class.java, LockAspectAutoConfiguration::class.java),
            )
            .withPropertyValues("lock.backend=memory")
            .withBean(Orders::class.java)
            .run { context ->
                assertThat(context)
                    .failure
                    .hasStackTraceContaining("it suspends and returns a kotlinx.coroutines.flow.Flow")
            }
    }

    open class Orders {

        @DistributedLock("'orders'")
        open suspend fun orders(): Flow<Int> = flowOf(1, 2, 3)
    }
}

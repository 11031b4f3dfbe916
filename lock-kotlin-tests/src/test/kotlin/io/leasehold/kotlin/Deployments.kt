package io.leasehold.kotlin

import io.leasehold.LockContext
import io.leasehold.LockHandle
import io.leasehold.Locker
import io.leasehold.annotation.DistributedLock
import io.leasehold.annotation.OnFailure
import io.leasehold.annotation.OnLost
import java.util.Optional
import kotlinx.coroutines.CompletableDeferred
import org.springframework.stereotype.Service
import reactor.core.publisher.Mono

/** Locks in three ways: by a suspending method, by one that may be skipped, and by a locker. */
@Service
class Deployments(private val deployLocker: Locker) {

    @DistributedLock(key = "#service", locker = "deploy")
    suspend fun deploy(service: String, approval: Approval): String {
        approval.awaited.complete(Unit)
        return "$service ${approval.given.await()}"
    }

    @DistributedLock(key = "#service", locker = "deploy")
    suspend fun <T> exclusively(service: String, work: suspend () -> T): T = work()

    @DistributedLock(key = "#service", locker = "deploy", onLost = OnLost.EVENT)
    suspend fun <T> tolerantly(service: String, work: suspend () -> T): T = work()

    @DistributedLock(key = "#service", locker = "deploy", waitTime = "0s", onFailure = OnFailure.SKIP)
    suspend fun deployUnlessBusy(service: String): String? = "$service deployed"

    @DistributedLock(key = "#service", locker = "deploy", waitTime = "0s", onFailure = OnFailure.SKIP)
    suspend fun findUnlessBusy(service: String): Optional<String> = Optional.of("$service deployed")

    @DistributedLock(key = "#service", locker = "deploy")
    suspend fun token(service: String, handle: LockHandle? = null): Long = handle!!.fencingToken()

    @DistributedLock(key = "#service", locker = "deploy", waitTime = "0s")
    fun versionWithoutSuspending(service: String): Long = LockContext.current().orElseThrow().fencingToken()

    @DistributedLock(key = "#service", locker = "deploy") fun <T : Any> reactively(service: String, work: Mono<T>): Mono<T> = work

    fun version(service: String): Long = deployLocker.lock(service).use { lock -> lock.fencingToken() }

    class Approval {

        val awaited = CompletableDeferred<Unit>()

        val given = CompletableDeferred<String>()
    }
}

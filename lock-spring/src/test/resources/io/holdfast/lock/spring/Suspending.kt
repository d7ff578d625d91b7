package suspending

import io.holdfast.lock.LockHold
import io.holdfast.lock.spring.LockAssert
import io.holdfast.lock.spring.Locked
import io.holdfast.lock.spring.OnTimeout
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Compiled and run by LockedCoroutineTest. */
open class Service {

    @Locked("#{#key}")
    open suspend fun <T> locked(key: String, body: suspend () -> T): T {
        LockAssert.assertLocked(key)
        delay(5)
        LockAssert.assertLocked(key)
        return body()
    }

    @Locked("k")
    open suspend fun token(hold: LockHold?): Long {
        delay(1)
        return hold!!.fencingToken()
    }

    @Locked("k")
    open fun flowing(body: () -> Boolean): Flow<Boolean> = flow {
        repeat(3) {
            delay(1)
            emit(body())
        }
    }

    @Locked("k", waitFor = "10ms", onTimeout = OnTimeout.SKIP)
    open suspend fun list(): List<String> = listOf("ran")

    @Locked("k", waitFor = "10ms", onTimeout = OnTimeout.SKIP)
    open suspend fun nullable(): String? = "ran"

    @Locked("k", waitFor = "10ms", onTimeout = OnTimeout.FALLBACK, fallback = "instead")
    open suspend fun replaced(text: String): String = "ran"

    private suspend fun instead(text: String): String {
        delay(1)
        return "instead of $text"
    }
}

open class NeverNull {

    @Locked("k", onTimeout = OnTimeout.SKIP)
    open suspend fun number(): Int = 1
}

open class NeverNullText {

    @Locked("k", onTimeout = OnTimeout.SKIP)
    open fun text(): String = "ran"
}

class Scenarios(private val service: Service, private val free: Supplier<Boolean>) {

    fun held(): Boolean = runBlocking { service.locked("k") { !free.get() } } && free.get()

    fun joined(): Boolean = runBlocking {
        service.locked("k") { withContext(Dispatchers.IO) { service.locked("k") { !free.get() } } }
    }

    fun token(): Boolean = runBlocking { service.token(null) > 0 }

    fun flowed(): Boolean = runBlocking {
        service.flowing { !free.get() }.toList() == listOf(true, true, true) &&
            free.get() &&
            service.flowing { !free.get() }.take(1).toList() == listOf(true)
    }

    fun followed(): Boolean = runBlocking {
        val asserted = { LockAssert.assertLocked("k"); true }
        service.flowing(asserted).toList() == listOf(true, true, true) &&
            service.flowing(asserted).map { runCatching { LockAssert.assertLocked("k") }.isFailure }.toList() ==
                listOf(true, true, true)
    }

    fun cancelled(): Boolean = runBlocking {
        val inside = CompletableDeferred<Unit>()
        val job = launch(Dispatchers.Default) {
            service.locked("k") {
                inside.complete(Unit)
                awaitCancellation()
            }
        }
        inside.await()
        val held = !free.get()
        job.cancelAndJoin()
        while (!free.get()) delay(1)
        held
    }

    fun outside(): Boolean = runBlocking {
        service.locked("k") { 1 }
        runCatching { LockAssert.assertLocked("k") }.isFailure
    }

    fun notGranted(): String = runBlocking {
        "${service.list()} ${service.nullable()} ${service.replaced("it")}"
    }
}

package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Encoding
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.PluginException
import io.github.rustbridge.RawResponse
import io.github.rustbridge.State
import io.github.rustbridge.Status
import java.util.concurrent.CountDownLatch
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicReference
import kotlin.test.assertContentEquals
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNotEquals
import kotlin.test.assertNotNull
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class SuspendingTest {
    @Test
    fun `a call runs on the dispatcher's thread and leaves the caller's free`() = runBlocking {
        val caller = Thread.currentThread()
        hello().use { plugin ->
            val ticks = async {
                repeat(5) { delay(10.milliseconds) }
                Thread.currentThread()
            }
            val slept = plugin.await<Sleep, Slept>("test.sleep", Sleep(200))
            assertEquals(200, slept.sleptMs)
            assertTrue(ticks.isCompleted)
            assertEquals(caller, ticks.await())
            assertNotEquals(caller, offload(Dispatchers.IO) { Thread.currentThread() })
        }
    }

    @Test
    fun `a cancelled coroutine goes on at once, and a plain handler runs to its end`() =
        runBlocking {
            val plugin = operations()
            assertFailsWith<TimeoutCancellationException> {
                withTimeout(300.milliseconds) { plugin.await("call.sleep", """{"ms":1500}""") }
            }
            assertStillCalled(plugin)
        }

    @Test
    fun `a service that blocks keeps no coroutine's thread`() = runBlocking {
        val caller = Thread.currentThread()
        for (options in listOf(CallOptions.defaults(), CallOptions.defaults().offloaded())) {
            val inside = AtomicReference<Thread>()
            val begun = CountDownLatch(1)
            val gate = CountDownLatch(1)
            val config =
                PluginConfig.defaults().rawService("prices.quote", Encoding.JSON) { request, _ ->
                    inside.set(Thread.currentThread())
                    begun.countDown()
                    gate.await()
                    request
                }
            Plugin.load(pluginPath("operations_plugin"), config).use { plugin ->
                val method = plugin.method("service.quote")
                val quote =
                    async(start = CoroutineStart.UNDISPATCHED) { method.await("5", options) }
                // It's suspended, and the function hasn't returned.
                assertTrue(begun.await(30, TimeUnit.SECONDS))
                assertNotEquals(caller, inside.get())
                assertTrue(quote.isActive)
                gate.countDown()
                assertEquals("5", quote.await())
            }
        }
    }

    /** The call is still there: closing waits for it. */
    private fun assertStillCalled(plugin: Plugin) {
        val failure = assertFailsWith<PluginException> { plugin.close(1.milliseconds) }
        assertEquals(Status.DEADLINE_EXCEEDED, failure.status)
        assertEquals(State.CLOSING, plugin.state)
        plugin.close(10.seconds)
        assertEquals(State.CLOSED, plugin.state)
    }

    @Test
    fun `a call that waits for a thread when it's cancelled isn't made`() = runBlocking {
        Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { single ->
            hello { config { put("first_user", kotlinx.serialization.json.JsonPrimitive(1)) } }
                .use { plugin ->
                    val gate = CountDownLatch(1)
                    launch(single) { gate.await() }
                    val create = CreateUser("ada", "ada@example.com")
                    val waiting =
                        launch(start = CoroutineStart.UNDISPATCHED) {
                            plugin.await<CreateUser, CreatedUser>(
                                "user.create",
                                create,
                                dispatcher = single,
                            )
                        }
                    waiting.cancelAndJoin()
                    gate.countDown()
                    val made =
                        plugin.await<CreateUser, CreatedUser>(
                            "user.create",
                            create,
                            dispatcher = single,
                        )
                    assertEquals("user-00000001", made.userId)
                }
        }
    }

    @Test
    fun `a lease that arrives late is closed`() = runBlocking {
        conformance().use { plugin ->
            val begun = CountDownLatch(1)
            val gate = CountDownLatch(1)
            val lease = AtomicReference<RawResponse>()
            val call =
                launch(start = CoroutineStart.UNDISPATCHED) {
                    offload(Dispatchers.IO, RawResponse::close) {
                        begun.countDown()
                        gate.await()
                        plugin.callRawZeroCopy("raw.echo", ByteArray(100_000)).also(lease::set)
                    }
                }
            withContext(Dispatchers.IO) { begun.await() }
            call.cancelAndJoin()
            gate.countDown()
            withTimeout(10.seconds) { while (lease.get()?.isClosed != true) delay(1.milliseconds) }
        }
    }

    @Test
    fun `a lease that arrives in time is closed if its taker is cancelled before it goes on`() =
        runBlocking {
            conformance().use { plugin ->
                val lease = AtomicReference<RawResponse>()
                val suspended = CountDownLatch(1)
                val called = CountDownLatch(1)
                val call =
                    launch(start = CoroutineStart.UNDISPATCHED) {
                        offload(Dispatchers.IO, RawResponse::close) {
                            suspended.await()
                            plugin.callRawZeroCopy("raw.echo", ByteArray(100_000)).also {
                                lease.set(it)
                                called.countDown()
                            }
                        }
                    }
                suspended.countDown()
                // This thread is the one that the coroutine needs to go on, so it can't before it's
                // cancelled.
                called.await()
                Thread.sleep(50)
                call.cancel()
                call.join()
                assertTrue(call.isCancelled)
                withTimeout(10.seconds) { while (!lease.get().isClosed) delay(1.milliseconds) }
            }
        }

    @Test
    fun `a lease that somebody takes stays open`() = runBlocking {
        conformance().use { plugin ->
            val bytes = ByteArray(100_000) { it.toByte() }
            plugin.awaitRawZeroCopy("raw.echo", bytes).use { lease ->
                assertEquals(100_000, lease.length)
                assertContentEquals(bytes, lease.toByteArray())
            }
            val echo = plugin.method("raw.echo", io.github.rustbridge.Encoding.RAW)
            echo.awaitRawZeroCopy(bytes).use { assertContentEquals(bytes, it.toByteArray()) }
            assertContentEquals(bytes, echo.awaitRawBytes(bytes))
            assertContentEquals(bytes, plugin.awaitRawBytes("raw.echo", bytes))
        }
    }

    @Test
    fun `failures arrive as they are`() = runBlocking {
        hello().use { plugin ->
            val failure =
                assertFailsWith<PluginException> {
                    plugin.await<Add, Sum>("math.add", Add(Long.MAX_VALUE, 1))
                }
            assertEquals(Status.OUT_OF_RANGE, failure.status)
            assertEquals("MathError.Overflow", failure.type)
            assertEquals(Long.MAX_VALUE, failure.detail<Long>("a"))
            assertEquals("9223372036854775807 + 1 doesn't fit into 64 bits", failure.message)
            assertFailsWith<PluginException> { plugin.await("no.such.method", "{}") }
            Unit
        }
    }

    @Test
    fun `a failure cancels the calls beside it`() = runBlocking {
        val plugin = operations()
        assertFailsWith<PluginException> {
            coroutineScope {
                launch(start = CoroutineStart.UNDISPATCHED) {
                    plugin.await("call.sleep", """{"ms":1500}""")
                }
                delay(300.milliseconds)
                launch { plugin.await("async.fail", """{"text":"gone"}""") }
            }
        }
        assertStillCalled(plugin)
    }

    @Test
    fun `a dispatcher that is closed cancels the call instead of leaving it waiting`() {
        val closed = Executors.newSingleThreadExecutor().asCoroutineDispatcher()
        closed.close()
        hello().use { plugin ->
            runBlocking {
                assertFailsWith<CancellationException> {
                    plugin.await("greet", "{\"name\":\"Ada\"}", closed)
                }
            }
        }
    }

    @Test
    fun `a cancelled coroutine makes no call`() = runBlocking {
        hello().use { plugin ->
            val job = launch(start = CoroutineStart.LAZY) {}
            job.cancel()
            assertFailsWith<CancellationException> {
                withContext(job) { plugin.await("greet", """{"name":"Ada"}""") }
            }
            Unit
        }
    }

    @Test
    fun `hundreds of calls at once each get their own answer`() = runBlocking {
        hello().use { plugin ->
            val add = plugin.typedMethod<Add, Sum>("math.add")
            val sums =
                (1L..500L)
                    .map { n -> async(Dispatchers.Default) { add.await(Add(n, n)).result } }
                    .awaitAll()
            assertEquals((1L..500L).map { it * 2 }, sums)
            // Each waits for all the others, so they are there at the same time.
            val together = CyclicBarrier(40)
            val answers =
                List(40) {
                    async {
                        offload(Dispatchers.IO) {
                            together.await()
                            plugin.call("math.add", """{"a":20,"b":22}""")
                        }
                    }
                }
            assertEquals(setOf("""{"result":42}"""), answers.awaitAll().toSet())
        }
    }

    /** Something bound to the thread, as a logging context is. */
    private class Bound(private val value: String) : ThreadContextElement<String?> {
        override val key = Key

        override fun updateThreadContext(context: kotlin.coroutines.CoroutineContext): String? =
            current.get().also { current.set(value) }

        override fun restoreThreadContext(
            context: kotlin.coroutines.CoroutineContext,
            oldState: String?,
        ) = current.set(oldState)

        companion object Key : kotlin.coroutines.CoroutineContext.Key<Bound> {
            val current = ThreadLocal<String?>()
        }
    }

    @Test
    fun `what the context binds to a thread is bound to the call's`() = runBlocking {
        val seen = withContext(Bound("mine")) { offload(Dispatchers.IO) { Bound.current.get() } }
        assertEquals("mine", seen)
    }

    @Test
    fun `closing can be awaited`() = runBlocking {
        val plugin = hello()
        val sleeping =
            launch(start = CoroutineStart.UNDISPATCHED) {
                plugin.await("test.sleep", """{"duration_ms":1000}""")
            }
        delay(300.milliseconds)
        val failure = assertFailsWith<PluginException> { plugin.awaitClose(1.milliseconds) }
        assertEquals(Status.DEADLINE_EXCEEDED, failure.status)
        plugin.awaitClose()
        sleeping.join()
        assertEquals(State.CLOSED, plugin.state)
        val late = assertFailsWith<PluginException> { plugin.await("greet", """{"name":"Ada"}""") }
        assertEquals(Status.UNAVAILABLE, late.status)
        assertNotNull(late.message)
        Unit
    }
}

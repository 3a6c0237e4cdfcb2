package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Metadata
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNotEquals
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.Serializable
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(120)
class LaterTest {
    @Serializable data class Note(val text: String)

    @Serializable data class Range(val from: Long, val to: Long, val fail_at: Long? = null)

    private suspend fun awaitDropped(plugin: Plugin, count: Int) {
        withTimeout(30_000.milliseconds) {
            while (plugin.call("async.dropped", "null").toInt() < count) delay(2.milliseconds)
        }
    }

    @Test
    fun `an async handler answers without a thread that waits`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val later = plugin.method("async.later")
                assertEquals(Note("a"), later.await<Note, Note>(Note("a")))
                val all =
                    List(500) { async { later.await<Note, Note>(Note("$it")).text } }.awaitAll()
                assertEquals(List(500) { "$it" }, all)
                val failure =
                    assertFailsWith<PluginException> {
                        plugin.method("async.fail").await<Note, Note>(Note("gone"))
                    }
                assertEquals(Status.DATA_LOSS, failure.status())
            }
        }

    @Test
    fun `an unconfined coroutine does not go on where events are fetched`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val later = plugin.method("async.later")
                repeat(50) {
                    val thread =
                        withContext(Dispatchers.Unconfined) {
                            later.await<Note, Note>(Note("a"))
                            Thread.currentThread().name
                        }
                    assertNotEquals("rustbridge poller", thread)
                }
            }
        }

    @Test
    fun `cancelling a scope cancels the futures in the plugin`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val never = plugin.method("async.never")
                assertFailsWith<TimeoutCancellationException> {
                    withTimeout(250.milliseconds) { never.await("null") }
                }
                awaitDropped(plugin, 1)
                // Undispatched, so that all three calls have started when the scope is cancelled.
                val now = CoroutineStart.UNDISPATCHED
                val job =
                    launch(start = now) {
                        coroutineScope { repeat(3) { launch(start = now) { never.await("null") } } }
                    }
                job.cancelAndJoin()
                awaitDropped(plugin, 4)
                assertFailsWith<TimeoutCancellationException> {
                    withTimeout(20.milliseconds) {
                        plugin
                            .method("call.sleep")
                            .await("""{"ms":600000}""", CallOptions.defaults())
                    }
                }
            }
        }

    @Test
    fun `an object that comes too late is closed`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val open = plugin.method("counter.open_later")
                repeat(200) { round ->
                    val job = launch { open.awaitObject("1").close() }
                    delay((round % 3).milliseconds)
                    job.cancelAndJoin()
                }
                withTimeout(30_000.milliseconds) {
                    while (plugin.call("counter.alive", "null") != "0") delay(2.milliseconds)
                }
            }
        }

    @Test
    fun `a stream is a flow`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val numbers = plugin.method("stream.numbers")
                val all = numbers.flow<Range, Long>(Range(0, 2_000)).toList()
                assertEquals((0L..<2_000L).toList(), all)
                val ticks = plugin.method("stream.ticks")
                assertEquals(
                    listOf(0L, 1L, 2L),
                    ticks.flow<Range, Long>(Range(0, 1_000_000)).take(3).toList(),
                )
                awaitDropped(plugin, 1)
                val failure =
                    assertFailsWith<PluginException> {
                        ticks.flow<Range, Long>(Range(0, 9, fail_at = 2)).toList()
                    }
                assertEquals("broken at 2", failure.message)
            }
        }

    @Test
    fun `headers come before the answer, the error and the first item`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val told = ConcurrentLinkedQueue<Any>()
                val silent = CallOptions.defaults().withMetadata("a", "1")
                val asking = silent.withHeaders { headers: Metadata ->
                    assertNotEquals("rustbridge poller", Thread.currentThread().name)
                    told.add("$headers")
                }
                val request = """{"text":"Hi"}""".encodeToByteArray()
                for (name in listOf("headers.now", "headers.soon", "headers.later")) {
                    val method = plugin.method(name)
                    val said = if (name == "headers.later") "[first=1, a=1]" else "[a=1]"
                    val reply = method.awaitReply(request, silent.withHeaders())
                    assertEquals(said, "${reply.headers()}")
                    assertEquals("[]", "${method.awaitReply(request, silent).headers()}")
                    assertEquals(Note("Hi"), method.await<Note, Note>(Note("Hi"), asking))
                    assertEquals(listOf<Any>(said), told.toList())
                    told.clear()
                }
                val refuse = plugin.method("headers.refuse")
                val failure =
                    assertFailsWith<PluginException> {
                        refuse.await("""{"status":7,"why":"no"}""", asking)
                    }
                assertEquals("[a=1]", "${failure.headers}")
                assertEquals(listOf<Any>("[a=1]"), told.toList())
                val refused =
                    assertFailsWith<PluginException> {
                        plugin.method("call.refuse").await("""{"status":7,"why":"no"}""", silent)
                    }
                assertEquals("[refused=no]", "${refused.trailers}")
                told.clear()
                val items = plugin.method("headers.items")
                items.flow<Range, Long>(Range(0, 2), asking).collect { told.add(it) }
                assertEquals(listOf<Any>("[a=1]", 0L, 1L), told.toList())
                items.flow<Range, Long>(Range(0, 0), asking).collect { told.add(it) }
                assertEquals("[a=1]", told.last())
                items.flow<Range, Long>(Range(0, 1), silent).collect { told.add(it) }
                assertEquals(0L, told.last())
            }
        }

    @Test
    fun `a flow is sent as fast as it is asked for`() =
        runBlocking<Unit> {
            operations().use { plugin ->
                val items = (0L..<1_000L).asFlow().map { """{"value":$it}""" }
                val sum = plugin.method("items.sum")
                assertEquals("""{"value":499501}""", sum.send("""{"value":1}""", items))
                val doubled =
                    plugin
                        .method("items.double")
                        .exchangeRaw(
                            "null".encodeToByteArray(),
                            items.map { it.encodeToByteArray() },
                        )
                        .toList()
                assertEquals(1_000, doubled.size)
                assertEquals("""{"value":1998}""", doubled.last().decodeToString())
                val broken = flow {
                    emit("""{"value":1}""")
                    error("the source is broken")
                }
                val failure =
                    assertFailsWith<PluginException> { sum.send("""{"value":1}""", broken) }
                assertEquals("the source is broken", failure.message)
            }
        }
}

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Encoding
import io.github.rustbridge.LogLevel
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.ServiceCall
import io.github.rustbridge.kotlin.await
import io.github.rustbridge.kotlin.flow
import io.github.rustbridge.kotlin.pluginPath
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

private val USER = ThreadLocal<String?>()

/** An element of an application's own. */
private class Tenant(val name: String) : AbstractCoroutineContextElement(Tenant) {
    companion object Key : CoroutineContext.Key<Tenant>
}

/** What a service has seen, before and after it has suspended. */
private data class Seen(
    val name: String?,
    val tenant: String?,
    val before: String?,
    val after: String?,
    val user: String?,
    val isTimed: Boolean,
)

/** Answers with who is asked for, and notes what it sees. */
private class Watching : Directory {
    val seen: MutableMap<String, Seen> = ConcurrentHashMap()
    var job: Job? = null

    override suspend fun find(name: String): Person? = fetch(name)

    override suspend fun fetch(name: String): Person {
        val before = USER.get()
        val call = ServiceCall.current()
        delay(1.milliseconds)
        val context = currentCoroutineContext()
        job = context[Job]
        seen[name] =
            Seen(
                context[CoroutineName]?.name,
                context[Tenant]?.name,
                before,
                USER.get(),
                call.metadata().text("user").orElse(null),
                call === ServiceCall.current() && call.timeLeft().isPresent,
            )
        return Person(name, 1u)
    }

    override suspend fun count(): ULong = 0u
}

/** Services run with the elements of the coroutine that they are asked for. */
@Timeout(60)
class ServiceContextTest {
    private val options = CallOptions.timeout(Duration.ofSeconds(60)).withMetadata("user", "ada")

    private fun elements(user: String) =
        CoroutineName("call $user") + Tenant("tenant $user") + USER.asContextElement(user)

    private fun seen(user: String) = Seen("call $user", "tenant $user", user, user, "ada", true)

    @Test
    fun `a suspend service has the elements of a suspend call`() =
        runBlocking<Unit> {
            val watching = Watching()
            types(watching).use { types ->
                for (dispatcher in listOf(Dispatchers.Default, Dispatchers.Unconfined)) {
                    watching.seen.clear()
                    List(50) { "user $it" }
                        .map { user ->
                            async(dispatcher + elements(user)) {
                                types.awaitAskLater(user, options)
                                assertTrue(currentCoroutineContext()[Job] !== watching.job)
                            }
                        }
                        .awaitAll()
                    repeat(50) { assertEquals(seen("user $it"), watching.seen["user $it"]) }
                }
                types.awaitAskLater("alone", options)
                assertEquals(Seen(null, null, null, null, "ada", true), watching.seen["alone"])
                withContext(elements("plain")) { types.awaitAskLater("plain") }
                assertEquals(
                    seen("plain").copy(user = null, isTimed = false),
                    watching.seen["plain"],
                )
            }
            assertNull(USER.get())
            assertFailsWith<IllegalStateException> { ServiceCall.current() }
        }

    private fun prices(note: (Long) -> Unit): Plugin =
        Plugin.load(
            pluginPath("operations_plugin"),
            PluginConfig.defaults().logLevel(LogLevel.OFF).rawService(
                "prices.get",
                Encoding.JSON,
            ) { request, _ ->
                note(request.decodeToString().toLong())
                request
            },
        )

    @Test
    fun `a plain service has the thread's elements of a suspend call or flow`() =
        runBlocking<Unit> {
            val users = ConcurrentHashMap<Long, String>()
            prices { users[it] = USER.get() ?: "none" }
                .use { plugin ->
                    withContext(elements("ada")) {
                        assertEquals("1", plugin.await("service.one", "1"))
                        assertEquals("2", plugin.method("service.one").await("2", options))
                        val prices = plugin.method("service.prices")
                        assertEquals(listOf("3", "4"), prices.flow("[3,4]").toList())
                        val narrow = options.withWindow(1, 99).offloaded()
                        assertEquals(listOf("5", "6"), prices.flow("[5,6]", narrow).toList())
                    }
                    assertEquals((1L..6L).associateWith { "ada" }, users)
                    assertEquals("7", plugin.method("service.one").await("7", options))
                    assertEquals("none", users[7L])
                }
        }
}

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import io.github.rustbridge.kotlin.exchangeRaw
import io.github.rustbridge.kotlin.operations
import io.github.rustbridge.kotlin.send
import io.github.rustbridge.kotlin.status
import io.github.rustbridge.kotlin.type
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertIs
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** One that no other test throws. */
private class OwnException(message: String) : RuntimeException(message)

/** All of its functions throw, at once or after they have suspended. */
private class Throwing(private val suspends: Boolean) : Directory {
    private suspend fun thrown(message: String): Nothing {
        if (suspends) delay(1.milliseconds)
        throw OwnException(message)
    }

    override suspend fun find(name: String): Person? = thrown("no $name")

    override suspend fun fetch(name: String): Person = thrown("no $name")

    override suspend fun count(): ULong = thrown("no count")
}

/** What an application throws comes back to it through a plugin. */
@Timeout(60)
class CausesTest {
    private fun assertCause(message: String, failed: PluginException) {
        assertEquals(Status.INTERNAL, failed.status)
        assertEquals(OwnException::class.java.name, failed.type)
        assertEquals(message, failed.message)
        assertEquals(message, assertIs<OwnException>(failed.cause).message)
    }

    @Test
    fun `what a suspend service throws is the cause`() =
        runBlocking<Unit> {
            for (suspends in listOf(false, true)) {
                types(Throwing(suspends)).use { types ->
                    assertCause("no Ada", assertFailsWith<PluginException> { types.ask("Ada") })
                    assertCause(
                        "no Eve",
                        assertFailsWith<PluginException> { types.askLater("Eve") },
                    )
                    assertCause(
                        "no Bob",
                        assertFailsWith<PluginException> { types.awaitAskLater("Bob") },
                    )
                    assertCause("no count", assertFailsWith<PluginException> { types.askCount() })
                }
            }
        }

    @Test
    fun `what a flow that is sent throws is the cause`() =
        runBlocking<Unit> {
            val broken = flow {
                emit("""{"value":1}""")
                delay(1.milliseconds)
                throw OwnException("the source is broken")
            }
            operations().use { plugin ->
                assertCause(
                    "the source is broken",
                    assertFailsWith<PluginException> {
                        plugin.method("items.sum").send("""{"value":1}""", broken)
                    },
                )
                assertCause(
                    "the source is broken",
                    assertFailsWith<PluginException> {
                        plugin
                            .method("items.double")
                            .exchangeRaw(
                                "null".encodeToByteArray(),
                                broken.map { it.encodeToByteArray() },
                                CallOptions.defaults(),
                            )
                            .toList()
                    },
                )
            }
        }
}

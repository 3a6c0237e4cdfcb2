package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import io.github.rustbridge.kotlin.status
import java.time.Duration
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.Timeout

/** Objects of the typed client: their methods, and messages that have them inside. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypedObjectsTest {
    private val types = types()
    private val ada = Person("Ada", 36u)

    @AfterAll fun close() = types.close()

    @Test
    fun `an object has methods of its own`() =
        runBlocking<Unit> {
            types.counter(40).use { counter ->
                assertEquals(42, counter.add(2))
                assertEquals(42, counter.get())
                assertEquals(45, counter.awaitAddLater(3))
                assertEquals(listOf(45L, 46L, 47L), counter.upto(48).toList())
                assertEquals(47, counter.admit(flowOf(ada, ada)))
                assertEquals(types.plugin(), counter.untyped().plugin())
                assertTrue(counter.within(47, 47))
                val large = assertFailsWith<PluginException> { counter.add(Long.MAX_VALUE) }
                assertEquals(Status.OUT_OF_RANGE, large.status)
                val over = CallOptions.timeout(Duration.ZERO)
                val late = assertFailsWith<PluginException> { counter.add(1, over) }
                assertEquals(Status.DEADLINE_EXCEEDED, late.status)
            }
        }

    @Test
    fun `one that is closed is refused before anything is sent`() =
        runBlocking<Unit> {
            val closed = types.counter(1)
            closed.use {}
            closed.close()
            assertTrue(closed.isClosed)
            assertFailsWith<IllegalStateException> { closed.get() }
            assertFailsWith<IllegalStateException> { closed.awaitAddLater(1) }
            assertFailsWith<IllegalStateException> { closed.upto(3) }
            assertFailsWith<IllegalStateException> { closed.admit(flowOf(ada)) }
            types.counter(5).use { open ->
                assertFailsWith<IllegalStateException> {
                    types.total(Counters(null, listOf(open, closed), ""))
                }
                assertEquals(5, types.total(Counters(open, listOf(), "")))
            }
        }

    @Test
    fun `objects are lent alone and in messages and come in these`() {
        types.counter(1).use { one ->
            types.counter(20).use { other ->
                assertEquals(21, one.absorb(other))
                assertEquals(61, types.total(Counters(one, listOf(other, other), "some")))
                assertEquals(Pair(19L, 22L), types.transfer(one, other, 2))
                types().use { foreign ->
                    val refused =
                        assertFailsWith<PluginException> {
                            foreign.total(Counters(one, listOf(), ""))
                        }
                    assertEquals(Status.INVALID_ARGUMENT, refused.status)
                }
            }
        }
        val counters = types.counters(longArrayOf(1, 20, 300))
        assertEquals(listOf(20L, 300L), counters.others.map { it.get() })
        assertEquals(321, types.total(counters))
        counters.first?.close()
        counters.others.forEach(Counter::close)
        assertNull(types.counters(longArrayOf()).first)
    }
}

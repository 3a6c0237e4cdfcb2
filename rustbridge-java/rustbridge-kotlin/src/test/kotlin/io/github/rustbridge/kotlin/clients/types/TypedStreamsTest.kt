package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import io.github.rustbridge.kotlin.status
import io.github.rustbridge.wire.EncodeException
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.Timeout

/** Streams of the typed client. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypedStreamsTest {
    private val types = types()
    private val ada = Person("Ada", 36u, "ada@example.org")
    private val lone = Person("\ud800", 1u)

    @AfterAll fun close() = types.close()

    private fun people(count: Int): Flow<Person> =
        (0..<count).asFlow().map { Person("person $it", it.toUInt()) }

    @Test
    fun `a stream is a flow of values`() =
        runBlocking<Unit> {
            for (times in listOf(0, 1, 1000)) {
                val expected = List(times) { ada.copy(age = 36u + it.toUInt()) }
                val flow = types.repeat(Repeat(ada, times.toUInt()))
                assertEquals(expected, flow.toList())
                assertEquals(expected, flow.toList(), "each collector has a call of its own")
                val narrow = CallOptions.defaults().withWindow(2, 99)
                assertEquals(
                    expected,
                    types.repeat(Repeat(ada, times.toUInt()), narrow).toList(),
                )
            }
            assertEquals(listOf(1L, 5L, 9L), types.steps(1, 10, 4u).toList())
            assertEquals(3, types.repeat(Repeat(ada, UInt.MAX_VALUE)).take(3).toList().size)
        }

    @Test
    fun `a stream that breaks off gives its items first`() =
        runBlocking<Unit> {
            val old = Person("Ada", UInt.MAX_VALUE - 2u)
            val ages = mutableListOf<UInt>()
            val broken =
                assertFailsWith<PluginException> {
                    types.repeat(Repeat(old, 10u)).collect { ages += it.age }
                }
            assertEquals(Status.OUT_OF_RANGE, broken.status)
            assertEquals(List(3) { UInt.MAX_VALUE - 2u + it.toUInt() }, ages)
        }

    @Test
    fun `a request of a stream is checked before it begins`() {
        val unfit = assertFailsWith<EncodeException> { types.repeat(Repeat(lone, 1u)) }
        assertTrue(unfit.message!!.startsWith("repeat: "), unfit.message)
    }

    @Test
    fun `items are sent and answered`() =
        runBlocking<Unit> {
            for (count in listOf(0, 1, 1000)) {
                val expected = PagePerson(people(count).toList(), count.toULong() + 5u)
                assertEquals(expected, types.collect(5u, people(count)))
                val window = CallOptions.defaults().withWindow(3, 1 shl 20)
                assertEquals(expected, types.collect(5u, people(count), window))
            }
            val before = ULong.MAX_VALUE - 1u
            assertEquals(ULong.MAX_VALUE, types.collect(before, flowOf(ada)).total)
            assertEquals(
                people(50).toList().subList(10, 20),
                types.between(10u, 19u, people(50)),
            )
        }

    private suspend fun refused(why: String, items: Flow<Person>) {
        val refused = assertFailsWith<PluginException> { types.collect(0u, items) }
        assertTrue(why in refused.message!!, refused.message)
    }

    @Test
    fun `an item that does not fit and what a flow throws end the stream`() =
        runBlocking<Unit> {
            refused("collect: items[1]: ", flowOf(ada, lone))
            refused(
                "the source is broken",
                people(9).onEach { if (it.age == 3u) error("the source is broken") },
            )
            assertEquals(1uL, types.collect(0u, flowOf(ada)).total)
        }

    @Test
    fun `a stream goes both ways`() =
        runBlocking<Unit> {
            val shapes =
                List(300) {
                    when (it % 3) {
                        0 -> Shape.Nothing
                        1 -> Shape.Circle(it.toDouble())
                        else -> Shape.Polygon(listOf(Point(0.0, it.toDouble())))
                    }
                }
            val both = types.reshape(shapes.asFlow())
            assertEquals(shapes, both.toList())
            assertEquals(shapes, both.toList())
            assertEquals(listOf(), types.reshape(flowOf()).toList())
            val endless = flow { while (true) emit(Shape.Circle(1.0)) }
            assertEquals(
                listOf(Shape.Circle(1.0), Shape.Circle(1.0)),
                types.reshape(endless).take(2).toList(),
            )
        }
}

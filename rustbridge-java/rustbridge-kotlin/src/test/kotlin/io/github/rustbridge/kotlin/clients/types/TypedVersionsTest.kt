package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.LogLevel
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import io.github.rustbridge.kotlin.pluginPath
import io.github.rustbridge.kotlin.status
import io.github.rustbridge.kotlin.type
import io.github.rustbridge.wire.WireReader
import kotlin.test.assertContentEquals
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertIsNot
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.Timeout

private fun load(plugin: String, directory: Directory? = null, ages: Ages? = null): Types =
    Types.load(pluginPath(plugin), directory = directory, ages = ages) { logLevel = LogLevel.OFF }

/** How old people are. */
private object Counting : Ages {
    override suspend fun of(people: List<Person>): Map<String, UInt> = people.associate {
        it.name to it.age
    }
}

/**
 * The typed client against other versions of its plugin: one that it's resolved for, and one that
 * breaks it.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypedVersionsTest {
    private val types = load("types_plugin_next")
    private val ada = Person("Ada", 36u, "ada@example.org")
    private val emmy = Person("Emmy", 53u)
    private val shapes =
        listOf(
            Shape.Circle(2.5),
            Shape.Polygon(listOf(Point(0.0, 1.0), Point(2.0, 3.0))),
            Shape.Nothing,
        )

    @AfterAll fun close() = types.close()

    @Test
    fun `records lists maps and enums come back as they were`() {
        assertEquals(ada, types.person(ada))
        val page = PagePerson(listOf(ada, emmy), 1uL shl 40)
        assertEquals(page, types.people(page))
        assertEquals(emmy, types.oldest(page))
        assertEquals(mapOf("a" to ada, "e" to emmy), types.map(mapOf("a" to ada, "e" to emmy)))
        assertNull(types.maybe(null))
        assertEquals(Color.DARK_BLUE, types.color(Color.DARK_BLUE))
        shapes.forEach { assertEquals(it, types.shape(it)) }
        // A type with a name that has none any more, and one that has got one.
        assertEquals(Celsius(21.5), types.celsius(Celsius(21.5)))
        assertEquals(5uL, types.length("Grüße"))
        // A variant that the plugin has added to what it takes is nothing that this client sends.
        val triangle = listOf(Point(0.0, 0.0), Point(4.0, 0.0), Point(0.0, 3.0))
        assertEquals(6.0, types.area(Shape.Polygon(triangle)))
    }

    @Test
    fun `what an older plugin lacks fails when it is used`() =
        load("types_plugin_older").use { older ->
            runBlocking {
                assertEquals(emmy, older.person(emmy))
                assertEquals(3uL, older.collect(1u, listOf(emmy, emmy).asFlow()).total)
                val lacking = assertFailsWith<PluginException> { older.person(ada) }
                // An item that can't be sent ends the call, which would wait for more otherwise.
                val refused =
                    assertFailsWith<PluginException> {
                        older.collect(1u, listOf(emmy, ada).asFlow())
                    }
                for (failed in listOf(lacking, refused)) {
                    assertEquals(Status.UNIMPLEMENTED, failed.status, failed.message)
                    assertEquals("rustbridge.NotInPlugin", failed.type)
                    assertTrue("email" in failed.message!!, failed.message)
                }
            }
        }

    @Test
    fun `random values of every type come back as they were`() =
        load("types_plugin").use { before ->
            for (seed in 0uL until 20uL) {
                val message = before.random(Random("every", seed))
                val every = WireReader().read(message, message.size, TypesCodec::readEvery)
                assertEquals(every, types.every(every))
            }
        }

    @Test
    fun `parameters have other places and others beside them`() {
        assertEquals("rüß", types.part("Grüße", 1u, 3u))
        assertEquals("rüße", types.part("Grüße", 1u))
        val (piece, bytes) = types.cut(Cut(1u, 2u), byteArrayOf(1, 2, 3))
        assertEquals(Piece(4u, 2u), piece)
        assertContentEquals(byteArrayOf(2, 3, 2, 3), bytes)
    }

    @Test
    fun `open enums have a variant for those that are not known`() {
        assertEquals(Mood.CALM, types.mood(Mood.CALM))
        assertEquals(Mood.UNKNOWN, types.mood(Mood.GLAD))
        val events = listOf(Event.Came, Event.Met(listOf(ada), Mood.GLAD), Event.Said("hi"))
        val met = Event.Met(listOf(ada), Mood.UNKNOWN)
        assertEquals(
            listOf(Event.Came, met, Event.Said("hi"), Event.Unknown),
            types.events(events),
        )
    }

    @Test
    fun `suspending calls and errors are resolved`() =
        runBlocking<Unit> {
            assertEquals(ada, types.awaitLater(ada))
            assertEquals(40u, types.awaitAged(ada, 4u).age)
            val nobody =
                assertFailsWith<SearchException> {
                    types.awaitSearchLater("Ann", listOf(ada, emmy))
                }
            assertEquals(SearchError.Nobody("Ann", listOf(ada)), nobody.error)
            val refused = assertFailsWith<RefusedException> { types.paint(Color.RED, Color.GREEN) }
            assertEquals(Refused(Color.RED, Color.GREEN), refused.error)
            // A variant that the plugin has added has no type here.
            val nameless = assertFailsWith<PluginException> { types.search("?", listOf()) }
            assertIsNot<SearchException>(nameless)
            assertEquals(Status.INVALID_ARGUMENT, nameless.status)
            assertEquals("SearchError.Nameless", nameless.type)
        }

    @Test
    fun `items are resolved both ways`() =
        runBlocking<Unit> {
            // How many years there are between two has a default in the plugin.
            val older = List(1000) { Person("Ada", 36u + 2u * it.toUInt(), "ada@example.org") }
            assertEquals(older, types.repeat(Repeat(ada, 1000u)).toList())
            assertEquals(PagePerson(older, 1005u), types.collect(5u, older.asFlow()))
            assertEquals(older.subList(2, 4), types.between(40u, 43u, older.asFlow()))
            val many = List(100) { shapes }.flatten()
            assertEquals(many, types.reshape(many.asFlow()).toList())
        }

    @Test
    fun `objects keep their places and one that is not known is given back`() =
        runBlocking<Unit> {
            val alive = { types.plugin().call("alive", "null") }
            types.counter(40).use { one ->
                types.counter(2).use { other ->
                    assertTrue(one.within(30, 50))
                    assertEquals(43, one.admit(List(3) { ada }.asFlow()))
                    assertEquals(Odd(43), assertFailsWith<OddException> { one.half() }.error)
                    assertEquals(listOf(43L, 44L, 45L), one.upto(46).toList())
                    assertEquals(Pair(40L, 5L), types.transfer(one, other, 3))
                    assertEquals(50, types.total(Counters(one, listOf(other, other), "some")))
                    assertEquals("2", alive())
                    val counters = types.counters(longArrayOf(1, 20, 300))
                    assertEquals(listOf(20L, 300L), counters.others.map { it.get() })
                    // There's a fourth one in the answer, which is given back elsewhere.
                    withTimeout(60.seconds) {
                        while (alive() != "5") {
                            delay(1.milliseconds)
                        }
                    }
                    counters.first!!.close()
                    counters.others.forEach { it.close() }
                    assertEquals("2", alive())
                }
            }
        }

    @Test
    fun `services are asked and answer in their own words`() {
        val onlyAda =
            object : Directory {
                override suspend fun find(name: String) = ada.takeIf { name == "Ada" }

                override suspend fun fetch(name: String): Person {
                    delay(1.milliseconds)
                    return find(name)
                        ?: throw PluginException(
                            Status.NOT_FOUND,
                            "Nobody",
                            "nobody is $name",
                            mapOf(),
                            null,
                        )
                }

                override suspend fun count() = 1uL
            }
        load("types_plugin_next", onlyAda, Counting).use { types ->
            assertEquals(ada, types.ask("Ada"))
            assertNull(types.ask("Eve"))
            assertEquals(ada, types.askLater("Ada"))
            val nobody = assertFailsWith<PluginException> { types.askLater("Eve") }
            assertEquals("Nobody", nobody.type)
            assertEquals(1uL, types.askCount())
            val ages = mapOf("Ada" to 36u, "Emmy" to 53u)
            assertEquals(ages, types.askAges(listOf(ada, emmy)))
        }
    }

    @Test
    fun `what breaks is told when the client is made`() {
        val broken = assertFailsWith<PluginException> { load("types_plugin_broken") }
        assertEquals(Status.FAILED_PRECONDITION, broken.status)
        assertEquals("rustbridge.TypesDiffer", broken.type)
        val numbers = "`request.numbers`: the client has Numbers, and the plugin u32"
        assertTrue("the types of `every` are incompatible" in broken.message!!, broken.message)
        assertTrue(numbers in broken.message!!, broken.message)
        val served =
            assertFailsWith<PluginException> { load("types_plugin_broken", ages = Counting) }
        assertEquals("rustbridge.TypesDiffer", served.type)
        assertTrue("`ages.of`" in served.message!!, served.message)
    }
}

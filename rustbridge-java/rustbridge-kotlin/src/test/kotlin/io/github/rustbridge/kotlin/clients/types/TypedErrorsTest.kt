package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import io.github.rustbridge.kotlin.details
import io.github.rustbridge.kotlin.status
import io.github.rustbridge.kotlin.type
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.time.Duration
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertIs
import kotlin.test.assertIsNot
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.Timeout

/** Exceptions of the typed client: one for each type of error, with the error in it. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypedErrorsTest {
    private val types = types()
    private val ada = Person("Ada", 36u)
    private val alan = Person("Alan", 41u)
    private val eve = Person("Eve", 7u)

    @AfterAll fun close() = types.close()

    @Test
    fun `an error has its fields`() {
        val people = listOf(ada, alan, eve)
        val options = CallOptions.timeout(Duration.ofSeconds(30))
        for (thrown in
            listOf(
                assertFailsWith<SearchException> { types.search("Ann", people) },
                assertFailsWith<SearchException> { types.search("Ann", people, options) },
                assertFailsWith<SearchException> {
                    runBlocking { types.awaitSearchLater("Ann", people) }
                },
            )) {
            assertEquals(SearchError.Nobody("Ann", listOf(ada, alan)), thrown.error)
            assertEquals(Status.NOT_FOUND, thrown.status)
            assertEquals("SearchError.Nobody", thrown.type)
            assertEquals("nobody is called \"Ann\"", thrown.message)
            assertEquals("Ann", thrown.details["name"])
        }
        assertEquals(eve, types.search("Eve", people))
    }

    @Test
    fun `variants and records of every shape come`() {
        val hidden = assertFailsWith<SearchException> { types.search("", listOf()) }
        assertEquals(SearchError.Hidden, hidden.error)
        val crowd = assertFailsWith<SearchException> { types.search("Ada", listOf(ada, eve, ada)) }
        assertEquals(SearchError.Crowd(2u, doubleArrayOf(36.0, 7.0, 36.0)), crowd.error)
        val refused = assertFailsWith<RefusedException> { types.paint(Color.RED, Color.GREEN) }
        assertEquals(Refused(Color.RED, Color.GREEN), refused.error)
        assertEquals(Color.GREEN, types.paint(Color.GREEN))
        val dark = assertFailsWith<PowerException> { types.power(false) }
        assertEquals(PowerError.OUT, dark.error)
        types.power(true)
        val odd = assertFailsWith<OddException> { types.counter(3).use { it.half() } }
        assertEquals(Odd(3), odd.error)
    }

    @Test
    fun `fakes throw what the plugin would`() {
        val nobody = SearchError.Nobody("Ann", listOf(ada, alan))
        val real = assertFailsWith<SearchException> { types.search("Ann", listOf(ada, alan, eve)) }
        val made = SearchException("nobody is called \"Ann\"", nobody)
        assertEquals(real.toString(), made.toString())
        assertEquals(real.status, made.status)
        assertEquals(real.details, made.details)
        assertEquals(nobody, made.error)
    }

    @Test
    fun `errors of the core and of a handler are the plugin's exception alone`() {
        val over = CallOptions.timeout(Duration.ZERO)
        val late = assertFailsWith<PluginException> { types.search("Ada", listOf(), over) }
        assertEquals(Status.DEADLINE_EXCEEDED, late.status)
        assertIsNot<SearchException>(late)
        val none = assertFailsWith<PluginException> { types.area(Shape.Nothing) }
        assertEquals(Status.INVALID_ARGUMENT, none.status)
    }

    @Test
    fun `an exception can be serialized without its error`() {
        val thrown = assertFailsWith<SearchException> { types.search("", listOf()) }
        val bytes = ByteArrayOutputStream()
        ObjectOutputStream(bytes).use { it.writeObject(thrown) }
        val read = ObjectInputStream(ByteArrayInputStream(bytes.toByteArray())).readObject()
        assertIs<SearchException>(read)
        assertEquals(Status.PERMISSION_DENIED, read.status)
        assertEquals("they hide", read.message)
    }
}

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import io.github.rustbridge.TypedClientServices
import io.github.rustbridge.kotlin.pluginPath
import io.github.rustbridge.kotlin.status
import io.github.rustbridge.kotlin.type
import java.io.IOException
import java.nio.file.Files
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

private val ADA = Person("Ada", UInt.MAX_VALUE)

/** Knows one. */
private open class Known : Directory {
    override suspend fun find(name: String): Person? = ADA.takeIf { name == it.name }

    override suspend fun fetch(name: String): Person =
        when (name) {
            "Ada" -> ADA
            "" -> throw IOException("the line is dead")
            else ->
                throw PluginException(
                    Status.NOT_FOUND,
                    "Nobody",
                    "nobody is $name",
                    mapOf(),
                    null,
                )
        }

    override suspend fun count(): ULong = ULong.MAX_VALUE
}

/** Never answers, and tells that it's asked, and not waited for any more. */
private class Patient : Directory {
    val asked: CompletableDeferred<String> = CompletableDeferred()
    val cancelled: CompletableDeferred<Unit> = CompletableDeferred()

    override suspend fun find(name: String): Person? = fetch(name)

    override suspend fun fetch(name: String): Person =
        try {
            asked.complete(name)
            awaitCancellation()
        } finally {
            cancelled.complete(Unit)
        }

    override suspend fun count(): ULong = 0u
}

/** Interfaces of the typed client's, which the plugin calls. */
@Timeout(60)
class TypedServicesTest {
    @Test
    fun a_client_is_loaded_from_bytes_and_made_by_a_container() {
        val image = Files.readAllBytes(pluginPath("types_plugin"))
        Types.load(image, directory = Known()).use { assertEquals(ADA, it.ask("Ada")) }
        assertFailsWith<PluginException> {
                Types.loadResource(TypedServicesTest::class, "/no-such-resource")
            }
            .also { assertEquals(Status.NOT_FOUND, it.status) }
        val container =
            object : TypedClientServices {
                override fun <S : Any?> find(service: Class<S>, required: Boolean): S? =
                    if (service == Directory::class.java) service.cast(Known()) else null
            }
        val config = Types.FACTORY.serving(PluginConfig.defaults(), container)
        Plugin.load(pluginPath("types_plugin"), config).use {
            val api: TypesApi = Types.FACTORY.of(it)
            assertEquals(ADA, api.ask("Ada"))
        }
    }

    private val ages =
        object : Ages {
            override suspend fun of(people: List<Person>): Map<String, UInt> {
                delay(1.milliseconds)
                return people.associate { it.name to it.age }
            }
        }

    @Test
    fun `implementations answer at once and later`() =
        runBlocking<Unit> {
            types(Known(), ages).use { types ->
                assertEquals(ADA, types.ask("Ada"))
                assertNull(types.ask("Eve"))
                assertEquals(ADA, types.askLater("Ada"))
                assertEquals(ADA, types.awaitAskLater("Ada"))
                assertEquals(ULong.MAX_VALUE, types.askCount())
                assertEquals(mapOf("Ada" to UInt.MAX_VALUE), types.askAges(listOf(ADA)))
            }
        }

    @Test
    fun `what is thrown becomes a status`() {
        val late =
            object : Known() {
                override suspend fun fetch(name: String): Person {
                    yield()
                    return super.fetch(name)
                }
            }
        for (directory in listOf(Known(), late)) {
            types(directory).use { types ->
                val nobody = assertFailsWith<PluginException> { types.askLater("Eve") }
                assertEquals(Status.NOT_FOUND, nobody.status)
                assertEquals("Nobody", nobody.type)
                val dead = assertFailsWith<PluginException> { types.askLater("") }
                assertEquals(Status.INTERNAL, dead.status)
                assertEquals("java.io.IOException", dead.type)
                assertTrue("the line is dead" in dead.message!!, dead.message)
            }
        }
    }

    @Test
    fun `an answer that does not fit says where`() {
        val wrong =
            object : Known() {
                override suspend fun find(name: String): Person = Person("\ud800", 1u)
            }
        types(wrong).use { types ->
            val unfit = assertFailsWith<PluginException> { types.ask("Ada") }
            assertEquals(Status.INTERNAL, unfit.status)
            assertTrue("directory.find: Person.name" in unfit.message!!, unfit.message)
        }
    }

    @Test
    fun `what is not given is not there`() {
        types(Known()).use { types ->
            val absent = assertFailsWith<PluginException> { types.askAges(listOf()) }
            assertEquals(Status.NOT_FOUND, absent.status)
            assertTrue("ages.of" in absent.message!!, absent.message)
        }
        types(ages = ages).use { types ->
            assertFailsWith<PluginException> { types.ask("Ada") }
            assertEquals(mapOf(), types.askAges(listOf()))
        }
    }

    @Test
    fun `cancelling the coroutine cancels the call and what it waits for`() =
        runBlocking<Unit> {
            val patient = Patient()
            types(patient).use { types ->
                val job = launch { types.awaitAskLater("Ada") }
                assertEquals("Ada", patient.asked.await())
                job.cancelAndJoin()
                patient.cancelled.await()
            }
        }
}

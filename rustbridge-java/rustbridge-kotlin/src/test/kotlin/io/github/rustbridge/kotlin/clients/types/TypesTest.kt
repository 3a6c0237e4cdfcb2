@file:OptIn(ExperimentalUnsignedTypes::class)

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.LogLevel
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginException
import io.github.rustbridge.State
import io.github.rustbridge.Status
import io.github.rustbridge.TypedClient
import io.github.rustbridge.kotlin.backend
import io.github.rustbridge.kotlin.callWith
import io.github.rustbridge.kotlin.loadPlugin
import io.github.rustbridge.kotlin.pluginPath
import io.github.rustbridge.kotlin.state
import io.github.rustbridge.kotlin.status
import io.github.rustbridge.wire.Decode
import io.github.rustbridge.wire.DecodeException
import io.github.rustbridge.wire.Encode
import io.github.rustbridge.wire.EncodeException
import io.github.rustbridge.wire.Maybe
import io.github.rustbridge.wire.WireReader
import io.github.rustbridge.wire.WireWriter
import java.math.BigInteger
import java.security.MessageDigest
import java.time.Duration
import java.util.Objects
import kotlin.test.assertContentEquals
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNotEquals
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.Timeout

/** How many random values each method gets. */
private val VALUES = 100uL * (System.getenv("RUSTBRIDGE_SOAK") ?: "1").toULong()

fun types(directory: Directory? = null, ages: Ages? = null): Types =
    Types.load(pluginPath("types_plugin"), directory, ages) { logLevel = LogLevel.OFF }

/** The typed client as `rustbridge gen` writes it, to the plugin and back. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypesTest {
    private val types = types()
    private val ada = Person("Ada 😀", 36u)

    @AfterAll fun close() = types.close()

    private fun <T> comesBack(
        method: String,
        encode: Encode<T>,
        decode: Decode<T>,
        echo: (T) -> T,
    ) {
        for (seed in 0uL..<VALUES) {
            val message = types.random(Random(method, seed))
            val value = WireReader().read(message, message.size, decode)
            val again = WireReader().read(message, message.size, decode)
            same(value, again, "$method $seed")
            if (value !is DoubleArray) {
                assertEquals(value.hashCode(), again.hashCode(), "$method $seed")
                assertEquals(value.toString(), again.toString(), "$method $seed")
            }
            val output = WireWriter()
            encode.write(output, value)
            assertContentEquals(message, output.toByteArray(), "$method $seed")
            same(value, echo(value), "$method $seed")
            // The same as JSON, called without types, where JSON has a form for it.
            val text = types.asJson(method, message) ?: continue
            for (json in listOf(text, types.plugin().method(method).call(text))) {
                val message = types.asMessage(method, json)
                same(value, WireReader().read(message, message.size, decode), "$method $seed")
            }
        }
        walked += method
    }

    private val walked = mutableSetOf<String>()

    private fun same(value: Any?, back: Any?, which: String) =
        assertTrue(Objects.deepEquals(value, back), "$which: $back instead of $value")

    @Test
    fun `bytes and text alone go as they are`() = runBlocking {
        val data = byteArrayOf(0, -1)
        assertEquals("00ff", types.hex(data))
        assertEquals(1u, types.nonzero(data))
        assertContentEquals(data, types.unhex(digits = "00ff"))
        assertEquals(0, types.unhex("").size)
        assertContentEquals(byteArrayOf(0x89.toByte(), 0x50, 0x4e, 0x47), types.magic())
        assertEquals("00ff", types.awaitHexLater(data))
        val odd = assertFailsWith<PluginException> { types.unhex("abc") }
        assertEquals(Status.INVALID_ARGUMENT, odd.status)
    }

    @Test
    fun `random values come back as they were`() {
        assertEquals(System.getProperty("rustbridge.backend"), types.plugin().backend)
        comesBack("every", TypesCodec::writeEvery, TypesCodec::readEvery) { types.every(it) }
        comesBack("numbers", TypesCodec::writeNumbers, TypesCodec::readNumbers) {
            types.numbers(it)
        }
        comesBack("texts", TypesCodec::writeTexts, TypesCodec::readTexts) { types.texts(it) }
        comesBack("times", TypesCodec::writeTimes, TypesCodec::readTimes) { types.times(it) }
        comesBack("lists", TypesCodec::writeLists, TypesCodec::readLists) { types.lists(it) }
        comesBack("pairs", TypesCodec::writePairs, TypesCodec::readPairs) { types.pairs(it) }
        comesBack("person", TypesCodec::writePerson, TypesCodec::readPerson) { types.person(it) }
        comesBack("people", TypesCodec::writePagePerson, TypesCodec::readPagePerson) {
            types.people(it)
        }
        comesBack("shape", TypesCodec::writeShape, TypesCodec::readShape) { types.shape(it) }
        comesBack("color", TypesCodec::writeColor, TypesCodec::readColor) { types.color(it) }
        comesBack("tagged", TypesCodec::writeTagged, TypesCodec::readTagged) { types.tagged(it) }
        comesBack("untagged", TypesCodec::writeUntagged, TypesCodec::readUntagged) {
            types.untagged(it)
        }
        comesBack("expr", TypesCodec::writeExpr, TypesCodec::readExpr) { types.expr(it) }
        comesBack("tree", TypesCodec::writeTree, TypesCodec::readTree) { types.tree(it) }
        comesBack("samples", TypesCodec::writeSamples, TypesCodec::readSamples) {
            types.samples(it)
        }
        comesBack("point", TypesCodec::writePoint, TypesCodec::readPoint) { types.point(it) }
        comesBack("celsius", TypesCodec::writeCelsius, TypesCodec::readCelsius) {
            types.celsius(it)
        }
        comesBack("bounded", TypesCodec::writeBounded, TypesCodec::readBounded) {
            types.bounded(it)
        }
        comesBack("unit", TypesCodec::writeUnit_, TypesCodec::readUnit_) { types.unit(it) }
        comesBack("defaults", TypesCodec::writeDefaults, TypesCodec::readDefaults) {
            types.defaults(it)
        }
        comesBack("renamed", TypesCodec::writeRenamedRecord, TypesCodec::readRenamedRecord) {
            types.renamed(it)
        }
        comesBack<Any?>("any", { output, value -> output.any(value, "any") }, WireReader::any) {
            types.any(it)
        }
        comesBack("maybe", TypesCodec::writeOptionOfPerson, TypesCodec::readOptionOfPerson) {
            types.maybe(it)
        }
        comesBack(
            "map",
            { output, value -> TypesCodec.writeMapOfStringToPerson(output, value, "map") },
            TypesCodec::readMapOfStringToPerson,
        ) {
            types.map(it)
        }
        comesBack(
            "tuple",
            { output, value ->
                TypesCodec.writeTupleOfU8AndStringAndOptionOfBool(output, value, "tuple")
            },
            TypesCodec::readTupleOfU8AndStringAndOptionOfBool,
        ) {
            types.tuple(it)
        }
        comesBack("duration", { to, value -> to.duration(value, "it") }, { it.duration() }) {
            types.duration(it)
        }
        comesBack("timestamp", { to, value -> to.timestamp(value) }, { it.timestamp() }) {
            types.timestamp(it)
        }
        comesBack("foreign", TypesCodec::writeForeign, TypesCodec::readForeign) {
            types.foreign(it)
        }
        comesBack("mood", TypesCodec::writeMood, TypesCodec::readMood) { types.mood(it) }
        comesBack("events", TypesCodec::writeListOfEvent, TypesCodec::readListOfEvent) {
            types.events(it)
        }
        comesBack("doubles", WireWriter::f64s, WireReader::f64s) { types.doubles(it) }
        // Whatever the plugin gives back has been walked.
        assertEquals(types.echoes().toSet(), walked)
    }

    private val least =
        Numbers(
            u8 = UByte.MIN_VALUE,
            u16 = UShort.MIN_VALUE,
            u32 = UInt.MIN_VALUE,
            u64 = ULong.MIN_VALUE,
            u128 = BigInteger.ZERO,
            i8 = Byte.MIN_VALUE,
            i16 = Short.MIN_VALUE,
            i32 = Int.MIN_VALUE,
            i64 = Long.MIN_VALUE,
            i128 = BigInteger.TWO.pow(127).negate(),
            f32 = Float.NEGATIVE_INFINITY,
            f64 = Double.NaN,
            bool = false,
            char = 0,
            size = ULong.MIN_VALUE,
        )
    private val most =
        Numbers(
            u8 = UByte.MAX_VALUE,
            u16 = UShort.MAX_VALUE,
            u32 = UInt.MAX_VALUE,
            u64 = ULong.MAX_VALUE,
            u128 = BigInteger.TWO.pow(128) - BigInteger.ONE,
            i8 = Byte.MAX_VALUE,
            i16 = Short.MAX_VALUE,
            i32 = Int.MAX_VALUE,
            i64 = Long.MAX_VALUE,
            i128 = BigInteger.TWO.pow(127) - BigInteger.ONE,
            f32 = Float.MAX_VALUE,
            f64 = Double.MIN_VALUE,
            bool = true,
            char = 0x10ffff,
            size = ULong.MAX_VALUE,
        )

    @Test
    fun `numbers have all their range`() {
        assertEquals(least, types.numbers(least))
        assertEquals(most, types.numbers(most))
        val old = Person("Ada", UInt.MAX_VALUE)
        assertEquals(old, types.person(old))
        assertEquals(UInt.MAX_VALUE, types.oldest(PagePerson(listOf(ada, old), 2u))?.age)
        val sample =
            Sample(ULong.MAX_VALUE, 0.5f, UShort.MAX_VALUE, ubyteArrayOf(UByte.MAX_VALUE, 0u))
        val points = listOf(Point(0.0, 1.0), Point(2.0, 3.0))
        val samples = Samples("s", sample, List(20) { sample }, points)
        assertEquals(samples, types.samples(samples))
    }

    private val lists =
        Lists(
            bytes = byteArrayOf(-1, 0),
            small = byteArrayOf(-128, 127),
            numbers = UIntArray(20) { UInt.MAX_VALUE - it.toUInt() },
            doubles = doubleArrayOf(Double.NaN, 1.0),
            large = listOf(BigInteger.TWO.pow(100)),
            bools = booleanArrayOf(true, false),
            texts = listOf("ä", ""),
            nested = listOf(ushortArrayOf(UShort.MAX_VALUE, 0u), ushortArrayOf()),
            fixed = uintArrayOf(UInt.MAX_VALUE, 0u, 1u),
            matrix = listOf(doubleArrayOf(1.0, 2.0), doubleArrayOf(3.0, 4.0)),
            names = listOf("a", "b"),
            set = uintArrayOf(1u, UInt.MAX_VALUE),
            people = listOf(ada),
            points = listOf(Point(1.0, 2.0)),
            sizes = ulongArrayOf(ULong.MAX_VALUE, 0u),
            boxes = floatArrayOf(1.5f),
            chars = intArrayOf(0x1f600),
            options = listOf(UByte.MAX_VALUE, null),
            tuples = listOf(Pair(UByte.MAX_VALUE, UInt.MAX_VALUE)),
        )

    @Test
    fun `lists are equal if what they hold is`() {
        val back = types.lists(lists)
        assertEquals(lists, back)
        assertEquals(lists.hashCode(), back.hashCode())
        assertEquals(lists.toString(), back.toString())
        assertTrue("fixed=[4294967295, 0, 1]" in lists.toString(), lists.toString())
        assertTrue("nested=[[65535, 0], []]" in lists.toString(), lists.toString())
        assertNotEquals(lists, lists.copy(sizes = ulongArrayOf(ULong.MAX_VALUE, 1u)))
        assertNotEquals(lists, lists.copy(nested = listOf(ushortArrayOf(1u), ushortArrayOf())))
        assertNotEquals(lists, lists.copy(matrix = lists.matrix.reversed()))
        assertEquals(UByte.MAX_VALUE, back.options[0])
        assertEquals(UInt.MAX_VALUE, back.tuples[0].second)
    }

    @Test
    fun `values are what they are in Kotlin`() {
        assertEquals(ada, types.person(ada))
        assertEquals(5uL, types.length("größe"))
        assertNull(types.maybe(null))
        assertNull(types.oldest(PagePerson(listOf(), 0u)))
        assertContentEquals(doubleArrayOf(0.0, -1.5), types.doubles(doubleArrayOf(0.0, -1.5)))
        assertEquals(Unit_, types.unit(Unit_))
        assertEquals(Celsius(21.5), types.celsius(Celsius(21.5)))
        assertEquals("Celsius(value=21.5)", Celsius(21.5).toString())
        assertEquals(Shape.Nothing, types.shape(Shape.Nothing))
        assertEquals(Color.DARK_BLUE, types.color(Color.DARK_BLUE))
        val length = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)
        assertEquals(length, types.duration(length))
        val area =
            when (val shape = types.shape(Shape.Circle(1.0))) {
                is Shape.Nothing -> 0.0
                is Shape.Circle -> shape.radius
                is Shape.Polygon -> shape.value.size.toDouble()
            }
        assertEquals(1.0, area)
        val dynamic = mapOf("a" to listOf(1L, null, true), "b" to 0.5, "c" to "text")
        assertEquals<Any?>(dynamic, types.any(dynamic))
    }

    @Test
    fun `what is left out is the plugin's default`() {
        val defaults = types.defaults(Defaults())
        assertEquals(7u, defaults.count)
        assertEquals("nobody", defaults.name)
        assertContentEquals(byteArrayOf(1, 2, 3), defaults.list)
        assertEquals(Maybe.of<ULong?>(9u), defaults.maybe)
        val given = Defaults(count = UInt.MAX_VALUE, maybe = Maybe.none())
        assertEquals(Maybe.none<ULong?>(), types.defaults(given).maybe)
        assertEquals(UInt.MAX_VALUE, types.defaults(given).count)
    }

    @Test
    fun `several parameters are arguments`() {
        assertEquals("Pá", types.part("Erdős Pál", 6u, 2u))
        assertEquals("Pál", types.part("Erdős Pál", start = 6u))
        val brief = CallOptions.timeout(Duration.ofSeconds(30))
        assertEquals("Pál", types.part("Erdős Pál", 6u, options = brief))
        val bytes = byteArrayOf(0, 1)
        val all = types.several(ada, listOf("A", "ä"), doubleArrayOf(0.5), Color.GREEN, bytes)
        assertEquals(
            Tuple6(ada, listOf("A", "ä"), doubleArrayOf(0.5), Color.GREEN, bytes, null),
            all,
        )
        assertNull(all.item5)
        val lone = assertFailsWith<EncodeException> { types.part("\ud800", 1u) }
        assertTrue("part: text" in lone.message!!, lone.message)
        val old = assertFailsWith<PluginException> { types.aged(ada, UInt.MAX_VALUE) }
        assertEquals(Status.OUT_OF_RANGE, old.status)
    }

    @Test
    fun `a value that does not fit is refused`() {
        assertFailsWith<EncodeException> { types.person(Person("\ud800", 1u)) }
        assertFailsWith<EncodeException> { types.duration(Duration.ofSeconds(-1)) }
        assertFailsWith<EncodeException> {
            types.numbers(least.copy(u128 = BigInteger.TWO.negate()))
        }
        assertFailsWith<EncodeException> { types.numbers(least.copy(char = 0xd800)) }
        val short =
            assertFailsWith<EncodeException> { types.lists(lists.copy(fixed = uintArrayOf())) }
        assertTrue("lists: Lists.fixed: 3 items" in short.message!!, short.message)
        assertFailsWith<EncodeException> { types.any(Any()) }
        val percent =
            assertFailsWith<PluginException> { types.bounded(Bounded(101u, byteArrayOf())) }
        assertEquals(Status.INVALID_ARGUMENT, percent.status)
    }

    @Test
    fun `an answer that is cut or too long is refused`() {
        val readers =
            mapOf<String, Decode<*>>(
                "every" to Decode(TypesCodec::readEvery),
                "lists" to Decode(TypesCodec::readLists),
                "pairs" to Decode(TypesCodec::readPairs),
                "shape" to Decode(TypesCodec::readShape),
                "samples" to Decode(TypesCodec::readSamples),
            )
        for ((method, decode) in readers) {
            val message = types.random(Random(method, 1u))
            for (length in message.indices) {
                assertFailsWith<DecodeException>("$method $length") {
                    WireReader().read(message, length, decode)
                }
            }
            val longer = message.copyOf(message.size + 1)
            assertFailsWith<DecodeException> { WireReader().read(longer, longer.size, decode) }
        }
    }

    @Test
    fun `what is nested too deep is neither written nor read`() {
        var tree = Tree("leaf", listOf())
        repeat(127) { tree = Tree("t", listOf(tree)) }
        assertEquals(tree, types.tree(tree))
        assertFailsWith<EncodeException> { types.tree(Tree("t", listOf(tree))) }
    }

    @Test
    fun `an async handler is called and awaited`() =
        runBlocking<Unit> {
            val people = List(200) { Person("x", it.toUInt()) }
            assertEquals(people, people.map { async { types.awaitLater(it) } }.awaitAll())
            assertEquals(people[7], types.later(people[7]))
            assertEquals(38u, types.awaitAged(ada, 2u).age)
            val failed = assertFailsWith<PluginException> { types.awaitLater(Person("", 1u)) }
            assertEquals(Status.INVALID_ARGUMENT, failed.status)
            assertFailsWith<EncodeException> { types.awaitLater(Person("\ud800", 1u)) }
            val over = CallOptions.timeout(Duration.ZERO)
            val late = assertFailsWith<PluginException> { types.awaitLater(ada, over) }
            assertEquals(Status.DEADLINE_EXCEEDED, late.status)
        }

    @Test
    fun `a client of another plugin is refused and closes what it has loaded`() {
        val refused = assertFailsWith<PluginException> { Types.load(pluginPath("hello_plugin")) }
        assertEquals(Status.NOT_FOUND, refused.status)
        loadPlugin(pluginPath("types_plugin")).use { plugin ->
            Types.of(plugin).use { assertEquals(3uL, it.length("abc")) }
            assertEquals(State.ACTIVE, plugin.state, "it belongs to the caller")
        }
        val closed = types()
        closed.close()
        val gone = assertFailsWith<PluginException> { closed.length("abc") }
        assertEquals(Status.UNAVAILABLE, gone.status)
    }

    /** A client of one method, written from a plugin whose answer was perhaps another. */
    private class Written(plugin: Plugin, response: String, code: Char) :
        TypedClient(plugin, false) {
        val length =
            method<String, ULong>(
                "length",
                fingerprint(code),
                """{"name":"types","types":[],"methods":[{"name":"length","entries":[
                    {"index":0,"encoding":"wire","request":{"type":"string"},
                    "response":{"type":"$response"}}]}]}""",
                { output, value -> output.string(value, "request") },
                { input -> input.i64().toULong() },
            )

        /** As docs/wire.md says: the version, what it is, text, the answer, no items. */
        @OptIn(ExperimentalStdlibApi::class)
        private fun fingerprint(code: Char): String {
            val kind = "unary ".encodeToByteArray()
            val bytes =
                byteArrayOf(1, 6, 0, 0, 0, 0, 0, 0, 0) + kind + "s$code-".encodeToByteArray()
            return MessageDigest.getInstance("SHA-256").digest(bytes).copyOf(16).toHexString()
        }
    }

    @Test
    fun `a client of another version is refused with what differs`() {
        val refused = assertFailsWith<PluginException> { Written(types.plugin(), "string", 's') }
        assertEquals(Status.FAILED_PRECONDITION, refused.status)
        assertTrue("`length`" in refused.message!!, refused.message)
        assertTrue(
            "the client has string, and the plugin u64" in refused.message!!.lowercase(),
            refused.message,
        )
        val same = Written(types.plugin(), "u64", '3')
        assertEquals(3uL, same.length.callWith("abc", CallOptions.defaults()))
    }
}

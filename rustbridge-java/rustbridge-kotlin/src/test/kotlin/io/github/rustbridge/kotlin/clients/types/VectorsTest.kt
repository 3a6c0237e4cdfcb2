package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.kotlin.Content
import io.github.rustbridge.wire.Decode
import io.github.rustbridge.wire.DecodeException
import io.github.rustbridge.wire.Encode
import io.github.rustbridge.wire.WireReader
import io.github.rustbridge.wire.WireWriter
import java.nio.file.Path
import java.util.stream.Stream
import kotlin.io.path.readText
import kotlin.test.assertContentEquals
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.TestFactory

/** The bytes that the page of the wire form says, read and written by the typed client. */
class VectorsTest {
    /** How a vector is read, and what else is done with it. */
    private class Echo<T>(
        private val encode: Encode<T>,
        private val decode: Decode<T>,
        private val call: (T) -> T,
    ) {
        @OptIn(ExperimentalStdlibApi::class)
        fun holds(vector: JsonObject) {
            val message = vector.getValue("wire").jsonPrimitive.content.hexToByteArray()
            if ("refused" in vector) {
                assertFailsWith<DecodeException> {
                    WireReader().read(message, message.size, decode)
                }
                return
            }
            val value = WireReader().read(message, message.size, decode)
            val output = WireWriter()
            encode.write(output, value)
            assertContentEquals(message, output.toByteArray())
            val same = Content.equal(arrayOf(value), arrayOf(call(value)))
            assertEquals("filled" !in vector, same)
        }
    }

    @TestFactory
    fun `every vector holds`(): Stream<DynamicTest> {
        val file =
            Path.of(System.getProperty("guide.folder"), "../../conformance/wire/vectors.json")
        val vectors = Json.parseToJsonElement(file.readText()).jsonObject.getValue("vectors")
        assertTrue(vectors.jsonArray.size > 50)
        val types = types()
        return vectors.jsonArray
            .map { it.jsonObject }
            .map { vector ->
                DynamicTest.dynamicTest(vector.getValue("name").jsonPrimitive.content) {
                    echo(types, vector.getValue("method").jsonPrimitive.content).holds(vector)
                }
            }
            .stream()
            .onClose(types::close)
    }

    private fun echo(types: Types, method: String): Echo<*> =
        when (method) {
            "any" -> Echo<Any?>({ to, it -> to.any(it, "it") }, { it.any() }) { types.any(it) }
            "bounded" ->
                Echo(TypesCodec::writeBounded, TypesCodec::readBounded) { types.bounded(it) }
            "celsius" ->
                Echo(TypesCodec::writeCelsius, TypesCodec::readCelsius) { types.celsius(it) }
            "color" -> Echo(TypesCodec::writeColor, TypesCodec::readColor) { types.color(it) }
            "defaults" ->
                Echo(TypesCodec::writeDefaults, TypesCodec::readDefaults) { types.defaults(it) }
            "doubles" -> Echo({ to, it -> to.f64s(it) }, { it.f64s() }) { types.doubles(it) }
            "duration" ->
                Echo({ to, it -> to.duration(it, "it") }, { it.duration() }) { types.duration(it) }
            "expr" -> Echo(TypesCodec::writeExpr, TypesCodec::readExpr) { types.expr(it) }
            "lists" -> Echo(TypesCodec::writeLists, TypesCodec::readLists) { types.lists(it) }
            "map" ->
                Echo(
                    { to, it -> TypesCodec.writeMapOfStringToPerson(to, it, "it") },
                    TypesCodec::readMapOfStringToPerson,
                ) {
                    types.map(it)
                }
            "maybe" ->
                Echo(TypesCodec::writeOptionOfPerson, TypesCodec::readOptionOfPerson) {
                    types.maybe(it)
                }
            "numbers" ->
                Echo(TypesCodec::writeNumbers, TypesCodec::readNumbers) { types.numbers(it) }
            "pairs" -> Echo(TypesCodec::writePairs, TypesCodec::readPairs) { types.pairs(it) }
            "people" ->
                Echo(TypesCodec::writePagePerson, TypesCodec::readPagePerson) { types.people(it) }
            "person" -> Echo(TypesCodec::writePerson, TypesCodec::readPerson) { types.person(it) }
            "point" -> Echo(TypesCodec::writePoint, TypesCodec::readPoint) { types.point(it) }
            "renamed" ->
                Echo(TypesCodec::writeRenamedRecord, TypesCodec::readRenamedRecord) {
                    types.renamed(it)
                }
            "samples" ->
                Echo(TypesCodec::writeSamples, TypesCodec::readSamples) { types.samples(it) }
            "shape" -> Echo(TypesCodec::writeShape, TypesCodec::readShape) { types.shape(it) }
            "tagged" -> Echo(TypesCodec::writeTagged, TypesCodec::readTagged) { types.tagged(it) }
            "texts" -> Echo(TypesCodec::writeTexts, TypesCodec::readTexts) { types.texts(it) }
            "times" -> Echo(TypesCodec::writeTimes, TypesCodec::readTimes) { types.times(it) }
            "timestamp" ->
                Echo({ to, it -> to.timestamp(it) }, { it.timestamp() }) { types.timestamp(it) }
            "tree" -> Echo(TypesCodec::writeTree, TypesCodec::readTree) { types.tree(it) }
            "tuple" ->
                Echo(
                    { to, it -> TypesCodec.writeTupleOfU8AndStringAndOptionOfBool(to, it, "it") },
                    TypesCodec::readTupleOfU8AndStringAndOptionOfBool,
                ) {
                    types.tuple(it)
                }
            "unit" -> Echo(TypesCodec::writeUnit_, TypesCodec::readUnit_) { types.unit(it) }
            "untagged" ->
                Echo(TypesCodec::writeUntagged, TypesCodec::readUntagged) { types.untagged(it) }
            else -> throw AssertionError(method)
        }
}

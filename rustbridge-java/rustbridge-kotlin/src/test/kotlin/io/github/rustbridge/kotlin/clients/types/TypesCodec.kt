// Written by `rustbridge gen -l kotlin` of the plugin `types`: write it anew by that, not by hand.
@file:OptIn(ExperimentalUnsignedTypes::class)
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.PluginObject
import io.github.rustbridge.wire.Maybe
import io.github.rustbridge.wire.UnfitException
import io.github.rustbridge.wire.Values
import io.github.rustbridge.wire.WireReader
import io.github.rustbridge.wire.WireWriter
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** Writes and reads the plugin's types. */
internal object TypesCodec {
    fun writeEvery(output: WireWriter, value: Every) {
        output.enter()
        writeNumbers(output, value.numbers)
        writeTexts(output, value.texts)
        writeTimes(output, value.times)
        writeLists(output, value.lists)
        writePairs(output, value.pairs)
        writeForeign(output, value.foreign)
        writePagePerson(output, value.people)
        writePageString(output, value.words)
        writeColor(output, value.color)
        writeShape(output, value.shape)
        writeTagged(output, value.tagged)
        writeUntagged(output, value.untagged)
        writeExpr(output, value.expr)
        writeTree(output, value.tree)
        writeSamples(output, value.samples)
        writeCelsius(output, value.celsius)
        writeUnit_(output, value.unit)
        writeDefaults(output, value.defaults)
        writeRenamedRecord(output, value.renamed)
        output.any(value.any, "Every.any")
        writeTupleOfU8AndStringAndOptionOfBool(output, value.tuple, "Every.tuple")
        output.leave()
    }

    fun readEvery(input: WireReader): Every {
        input.enter()
        val value =
            Every(
                readNumbers(input),
                readTexts(input),
                readTimes(input),
                readLists(input),
                readPairs(input),
                readForeign(input),
                readPagePerson(input),
                readPageString(input),
                readColor(input),
                readShape(input),
                readTagged(input),
                readUntagged(input),
                readExpr(input),
                readTree(input),
                readSamples(input),
                readCelsius(input),
                readUnit_(input),
                readDefaults(input),
                readRenamedRecord(input),
                input.any(),
                readTupleOfU8AndStringAndOptionOfBool(input),
            )
        input.leave()
        return value
    }

    fun writeNumbers(output: WireWriter, value: Numbers) {
        output.i8(value.u8.toByte())
        output.i16(value.u16.toShort())
        output.i32(value.u32.toInt())
        output.i64(value.u64.toLong())
        output.u128(value.u128, "Numbers.u128")
        output.i8(value.i8)
        output.i16(value.i16)
        output.i32(value.i32)
        output.i64(value.i64)
        output.i128(value.i128, "Numbers.i128")
        output.f32(value.f32)
        output.f64(value.f64)
        output.bool(value.bool)
        output.character(value.char, "Numbers.char")
        output.i64(value.size.toLong())
    }

    fun readNumbers(input: WireReader): Numbers =
        Numbers(
            input.i8().toUByte(),
            input.i16().toUShort(),
            input.i32().toUInt(),
            input.i64().toULong(),
            input.u128(),
            input.i8(),
            input.i16(),
            input.i32(),
            input.i64(),
            input.i128(),
            input.f32(),
            input.f64(),
            input.bool(),
            input.character(),
            input.i64().toULong(),
        )

    fun writeTexts(output: WireWriter, value: Texts) {
        output.enter()
        output.string(value.text, "Texts.text")
        output.string(value.boxed, "Texts.boxed")
        writeOptionOfBytes(output, value.maybeBytes)
        output.bytes(value.bytes)
        writeOptionOfString(output, value.maybe, "Texts.maybe")
        output.leave()
    }

    fun readTexts(input: WireReader): Texts {
        input.enter()
        val value =
            Texts(
                input.string(),
                input.string(),
                readOptionOfBytes(input),
                input.bytes(),
                readOptionOfString(input),
            )
        input.leave()
        return value
    }

    fun writeTimes(output: WireWriter, value: Times) {
        output.enter()
        output.timestamp(value.at)
        output.duration(value.lasts, "Times.lasts")
        writeOptionOfTimestamp(output, value.ends)
        output.leave()
    }

    fun readTimes(input: WireReader): Times {
        input.enter()
        val value = Times(input.timestamp(), input.duration(), readOptionOfTimestamp(input))
        input.leave()
        return value
    }

    fun writeLists(output: WireWriter, value: Lists) {
        output.enter()
        output.bytes(value.bytes)
        output.bytes(value.small)
        output.i32s(value.numbers.asIntArray())
        output.f64s(value.doubles)
        writeListOfI128(output, value.large, "Lists.large")
        output.bools(value.bools)
        writeListOfString(output, value.texts, "Lists.texts")
        writeListOfListOfU16(output, value.nested)
        output.i32s(value.fixed.asIntArray(), 3, "Lists.fixed")
        writeArrayOf2ArrayOf2F64(output, value.matrix, "Lists.matrix")
        writeArrayOf2String(output, value.names, "Lists.names")
        output.i32s(value.set.asIntArray())
        writeListOfPerson(output, value.people)
        writeListOfPoint(output, value.points)
        output.i64s(value.sizes.asLongArray())
        output.f32s(value.boxes)
        output.characters(value.chars, "Lists.chars")
        writeListOfOptionOfU8(output, value.options)
        writeListOfTupleOfU8AndU32(output, value.tuples)
        output.leave()
    }

    fun readLists(input: WireReader): Lists {
        input.enter()
        val value =
            Lists(
                input.bytes(),
                input.bytes(),
                input.i32s().asUIntArray(),
                input.f64s(),
                readListOfI128(input),
                input.bools(),
                readListOfString(input),
                readListOfListOfU16(input),
                input.i32s(3).asUIntArray(),
                readArrayOf2ArrayOf2F64(input),
                readArrayOf2String(input),
                input.i32s().asUIntArray(),
                readListOfPerson(input),
                readListOfPoint(input),
                input.i64s().asULongArray(),
                input.f32s(),
                input.characters(),
                readListOfOptionOfU8(input),
                readListOfTupleOfU8AndU32(input),
            )
        input.leave()
        return value
    }

    fun writePerson(output: WireWriter, value: Person) {
        output.enter()
        output.string(value.name, "Person.name")
        output.i32(value.age.toInt())
        writeOptionOfString(output, value.email, "Person.email")
        output.leave()
    }

    fun readPerson(input: WireReader): Person {
        input.enter()
        val value = Person(input.string(), input.i32().toUInt(), readOptionOfString(input))
        input.leave()
        return value
    }

    fun writePoint(output: WireWriter, value: Point) {
        output.f64(value.x)
        output.f64(value.y)
    }

    fun readPoint(input: WireReader): Point = Point(input.f64(), input.f64())

    fun writePairs(output: WireWriter, value: Pairs) {
        output.enter()
        writeMapOfStringToU32(output, value.byName, "Pairs.byName")
        writeMapOfI64ToString(output, value.byNumber, "Pairs.byNumber")
        writeMapOfCharToBytes(output, value.byChar, "Pairs.byChar")
        writeMapOfColorToPerson(output, value.byColor)
        writeMapOfU16ToOptionOfF32(output, value.hashed)
        writeMapOfStringToMapOfU8ToBool(output, value.nested, "Pairs.nested")
        output.leave()
    }

    fun readPairs(input: WireReader): Pairs {
        input.enter()
        val value =
            Pairs(
                readMapOfStringToU32(input),
                readMapOfI64ToString(input),
                readMapOfCharToBytes(input),
                readMapOfColorToPerson(input),
                readMapOfU16ToOptionOfF32(input),
                readMapOfStringToMapOfU8ToBool(input),
            )
        input.leave()
        return value
    }

    fun writeColor(output: WireWriter, value: Color) {
        output.variant(value.ordinal)
    }

    fun readColor(input: WireReader): Color = Color.entries.get(input.variant(3, "Color"))

    fun writeForeign(output: WireWriter, value: Foreign) {
        output.enter()
        output.uuid(value.id)
        writeOptionOfUuid(output, value.parent)
        writeMapOfUuidToString(output, value.names, "Foreign.names")
        output.timestamp(value.made)
        output.duration(value.took, "Foreign.took")
        output.timestamp(value.seen)
        writeListOfDuration(output, value.waits, "Foreign.waits")
        writeOptionOfTimestamp(output, value.ends)
        output.duration(value.lasts, "Foreign.lasts")
        writeEndpoint(output, value.at)
        writeMapOfStringToListOfEndpoint(output, value.others, "Foreign.others")
        output.leave()
    }

    fun readForeign(input: WireReader): Foreign {
        input.enter()
        val value =
            Foreign(
                input.uuid(),
                readOptionOfUuid(input),
                readMapOfUuidToString(input),
                input.timestamp(),
                input.duration(),
                input.timestamp(),
                readListOfDuration(input),
                readOptionOfTimestamp(input),
                input.duration(),
                readEndpoint(input),
                readMapOfStringToListOfEndpoint(input),
            )
        input.leave()
        return value
    }

    fun writeEndpoint(output: WireWriter, value: Endpoint) {
        output.enter()
        output.string(value.address, "Endpoint.address")
        output.i16(value.port.toShort())
        output.leave()
    }

    fun readEndpoint(input: WireReader): Endpoint {
        input.enter()
        val value = Endpoint(input.string(), input.i16().toUShort())
        input.leave()
        return value
    }

    fun writePagePerson(output: WireWriter, value: PagePerson) {
        output.enter()
        writeListOfPerson(output, value.items)
        output.i64(value.total.toLong())
        output.leave()
    }

    fun readPagePerson(input: WireReader): PagePerson {
        input.enter()
        val value = PagePerson(readListOfPerson(input), input.i64().toULong())
        input.leave()
        return value
    }

    fun writePageString(output: WireWriter, value: PageString) {
        output.enter()
        writeListOfString(output, value.items, "PageString.items")
        output.i64(value.total.toLong())
        output.leave()
    }

    fun readPageString(input: WireReader): PageString {
        input.enter()
        val value = PageString(readListOfString(input), input.i64().toULong())
        input.leave()
        return value
    }

    fun writeShape(output: WireWriter, value: Shape) {
        output.enter()
        when (value) {
            is Shape.Nothing -> output.variant(0)
            is Shape.Circle -> {
                output.variant(1)
                writeShapeCircle(output, value)
            }
            is Shape.Polygon -> {
                output.variant(2)
                writeShapePolygon(output, value)
            }
        }
        output.leave()
    }

    fun readShape(input: WireReader): Shape {
        input.enter()
        val value =
            when (input.variant(3, "Shape")) {
                0 -> Shape.Nothing
                1 -> readShapeCircle(input)
                else -> readShapePolygon(input)
            }
        input.leave()
        return value
    }

    fun writeShapeCircle(output: WireWriter, value: Shape.Circle) {
        output.f64(value.radius)
    }

    fun readShapeCircle(input: WireReader): Shape.Circle = Shape.Circle(input.f64())

    fun writeShapePolygon(output: WireWriter, value: Shape.Polygon) {
        writeListOfPoint(output, value.value)
    }

    fun readShapePolygon(input: WireReader): Shape.Polygon = Shape.Polygon(readListOfPoint(input))

    fun writeTagged(output: WireWriter, value: Tagged) {
        output.enter()
        when (value) {
            is Tagged.Started -> {
                output.variant(0)
                writeTaggedStarted(output, value)
            }
            is Tagged.Moved -> {
                output.variant(1)
                writeTaggedMoved(output, value)
            }
            is Tagged.Stopped -> output.variant(2)
        }
        output.leave()
    }

    fun readTagged(input: WireReader): Tagged {
        input.enter()
        val value =
            when (input.variant(3, "Tagged")) {
                0 -> readTaggedStarted(input)
                1 -> readTaggedMoved(input)
                else -> Tagged.Stopped
            }
        input.leave()
        return value
    }

    fun writeTaggedStarted(output: WireWriter, value: Tagged.Started) {
        output.i64(value.atSecond.toLong())
    }

    fun readTaggedStarted(input: WireReader): Tagged.Started = Tagged.Started(input.i64().toULong())

    fun writeTaggedMoved(output: WireWriter, value: Tagged.Moved) {
        writePoint(output, value.toPlace)
        writeOptionOfF32(output, value.howFast)
    }

    fun readTaggedMoved(input: WireReader): Tagged.Moved =
        Tagged.Moved(readPoint(input), readOptionOfF32(input))

    fun writeUntagged(output: WireWriter, value: Untagged) {
        output.enter()
        when (value) {
            is Untagged.Number -> {
                output.variant(0)
                writeUntaggedNumber(output, value)
            }
            is Untagged.Text -> {
                output.variant(1)
                writeUntaggedText(output, value)
            }
            is Untagged.Both -> {
                output.variant(2)
                writeUntaggedBoth(output, value)
            }
        }
        output.leave()
    }

    fun readUntagged(input: WireReader): Untagged {
        input.enter()
        val value =
            when (input.variant(3, "Untagged")) {
                0 -> readUntaggedNumber(input)
                1 -> readUntaggedText(input)
                else -> readUntaggedBoth(input)
            }
        input.leave()
        return value
    }

    fun writeUntaggedNumber(output: WireWriter, value: Untagged.Number) {
        output.i64(value.value)
    }

    fun readUntaggedNumber(input: WireReader): Untagged.Number = Untagged.Number(input.i64())

    fun writeUntaggedText(output: WireWriter, value: Untagged.Text) {
        output.string(value.value, "Untagged.Text.value")
    }

    fun readUntaggedText(input: WireReader): Untagged.Text = Untagged.Text(input.string())

    fun writeUntaggedBoth(output: WireWriter, value: Untagged.Both) {
        output.i64(value.item0)
        output.string(value.item1, "Untagged.Both.item1")
    }

    fun readUntaggedBoth(input: WireReader): Untagged.Both =
        Untagged.Both(input.i64(), input.string())

    fun writeExpr(output: WireWriter, value: Expr) {
        output.enter()
        when (value) {
            is Expr.Number -> {
                output.variant(0)
                writeExprNumber(output, value)
            }
            is Expr.Negated -> {
                output.variant(1)
                writeExprNegated(output, value)
            }
            is Expr.Sum -> {
                output.variant(2)
                writeExprSum(output, value)
            }
            is Expr.Call -> {
                output.variant(3)
                writeExprCall(output, value)
            }
        }
        output.leave()
    }

    fun readExpr(input: WireReader): Expr {
        input.enter()
        val value =
            when (input.variant(4, "Expr")) {
                0 -> readExprNumber(input)
                1 -> readExprNegated(input)
                2 -> readExprSum(input)
                else -> readExprCall(input)
            }
        input.leave()
        return value
    }

    fun writeExprNumber(output: WireWriter, value: Expr.Number) {
        output.f64(value.value)
    }

    fun readExprNumber(input: WireReader): Expr.Number = Expr.Number(input.f64())

    fun writeExprNegated(output: WireWriter, value: Expr.Negated) {
        writeExpr(output, value.value)
    }

    fun readExprNegated(input: WireReader): Expr.Negated = Expr.Negated(readExpr(input))

    fun writeExprSum(output: WireWriter, value: Expr.Sum) {
        writeExpr(output, value.item0)
        writeExpr(output, value.item1)
    }

    fun readExprSum(input: WireReader): Expr.Sum = Expr.Sum(readExpr(input), readExpr(input))

    fun writeExprCall(output: WireWriter, value: Expr.Call) {
        output.string(value.name, "Expr.Call.name")
        writeListOfExpr(output, value.arguments)
    }

    fun readExprCall(input: WireReader): Expr.Call =
        Expr.Call(input.string(), readListOfExpr(input))

    fun writeTree(output: WireWriter, value: Tree) {
        output.enter()
        output.string(value.name, "Tree.name")
        writeListOfTree(output, value.children)
        output.leave()
    }

    fun readTree(input: WireReader): Tree {
        input.enter()
        val value = Tree(input.string(), readListOfTree(input))
        input.leave()
        return value
    }

    fun writeSamples(output: WireWriter, value: Samples) {
        output.enter()
        output.string(value.name, "Samples.name")
        writeSample(output, value.first)
        writeListOfSample(output, value.all)
        writeArrayOf2Point(output, value.pair, "Samples.pair")
        output.leave()
    }

    fun readSamples(input: WireReader): Samples {
        input.enter()
        val value =
            Samples(
                input.string(),
                readSample(input),
                readListOfSample(input),
                readArrayOf2Point(input),
            )
        input.leave()
        return value
    }

    fun writeSample(output: WireWriter, value: Sample) {
        output.i64(value.time.toLong())
        output.f32(value.value)
        output.i16(value.channel.toShort())
        output.bytes(value.flags.asByteArray(), 2, "Sample.flags")
    }

    fun readSample(input: WireReader): Sample =
        Sample(
            input.i64().toULong(),
            input.f32(),
            input.i16().toUShort(),
            input.bytes(2).asUByteArray(),
        )

    fun writeCelsius(output: WireWriter, value: Celsius) {
        output.f64(value.value)
    }

    fun readCelsius(input: WireReader): Celsius = Celsius(input.f64())

    fun writeUnit_(
        @Suppress("UNUSED_PARAMETER") output: WireWriter,
        @Suppress("UNUSED_PARAMETER") value: Unit_,
    ) {}

    fun readUnit_(@Suppress("UNUSED_PARAMETER") input: WireReader): Unit_ = Unit_

    fun writeDefaults(output: WireWriter, value: Defaults) {
        output.enter()
        output.bool(value.count != null)
        if (value.count != null) {
            output.i32(value.count.toInt())
        }
        output.bool(value.name != null)
        if (value.name != null) {
            output.string(value.name, "Defaults.name")
        }
        output.bool(value.list != null)
        if (value.list != null) {
            output.bytes(value.list)
        }
        output.bool(value.maybe != null)
        if (value.maybe != null) {
            writeOptionOfU64(output, value.maybe.value)
        }
        output.leave()
    }

    fun readDefaults(input: WireReader): Defaults {
        input.enter()
        val value =
            Defaults(
                if (input.bool()) input.i32().toUInt() else null,
                if (input.bool()) input.string() else null,
                if (input.bool()) input.bytes() else null,
                if (input.bool()) Maybe.of(readOptionOfU64(input)) else null,
            )
        input.leave()
        return value
    }

    fun writeRenamedRecord(output: WireWriter, value: RenamedRecord) {
        output.enter()
        output.string(value.firstName, "RenamedRecord.firstName")
        writeColor(output, value.type)
        output.i8(value.class_.toByte())
        writePerson(output, value.person)
        output.leave()
    }

    fun readRenamedRecord(input: WireReader): RenamedRecord {
        input.enter()
        val value =
            RenamedRecord(input.string(), readColor(input), input.i8().toUByte(), readPerson(input))
        input.leave()
        return value
    }

    fun writeMood(output: WireWriter, value: Mood) {
        if (value == Mood.UNKNOWN) {
            throw UnfitException("Mood: a variant that this client doesn't know can't be sent")
        }
        output.variant(value.ordinal)
    }

    fun readMood(input: WireReader): Mood = Mood.entries.get(input.openVariant(2, "Mood"))

    fun writeEvent(output: WireWriter, value: Event) {
        output.enter()
        when (value) {
            is Event.Came -> output.variant(0)
            is Event.Met -> {
                output.variant(1)
                writeEventMet(output, value)
            }
            is Event.Said -> {
                output.variant(2)
                writeEventSaid(output, value)
            }
            is Event.Unknown ->
                throw UnfitException("Event: a variant that this client doesn't know can't be sent")
        }
        output.leave()
    }

    fun readEvent(input: WireReader): Event {
        input.enter()
        val value =
            when (input.openVariant(3, "Event")) {
                0 -> Event.Came
                1 -> readEventMet(input)
                2 -> readEventSaid(input)
                else -> Event.Unknown
            }
        input.leave()
        return value
    }

    fun writeEventMet(output: WireWriter, value: Event.Met) {
        writeListOfPerson(output, value.others)
        writeMood(output, value.mood)
    }

    fun readEventMet(input: WireReader): Event.Met =
        Event.Met(readListOfPerson(input), readMood(input))

    fun writeEventSaid(output: WireWriter, value: Event.Said) {
        output.string(value.value, "Event.Said.value")
    }

    fun readEventSaid(input: WireReader): Event.Said = Event.Said(input.string())

    fun writeBounded(output: WireWriter, value: Bounded) {
        output.enter()
        output.i8(value.share.toByte())
        output.bytes(value.all)
        output.leave()
    }

    fun readBounded(input: WireReader): Bounded {
        input.enter()
        val value = Bounded(input.i8().toUByte(), input.bytes())
        input.leave()
        return value
    }

    fun writePartParameters(output: WireWriter, value: PartParameters) {
        output.enter()
        output.string(value.text, "PartParameters.text")
        output.i32(value.start.toInt())
        writeOptionOfU32(output, value.count)
        output.leave()
    }

    fun readPartParameters(input: WireReader): PartParameters {
        input.enter()
        val value = PartParameters(input.string(), input.i32().toUInt(), readOptionOfU32(input))
        input.leave()
        return value
    }

    fun writeSeveralParameters(output: WireWriter, value: SeveralParameters) {
        output.enter()
        writePerson(output, value.person)
        writeListOfString(output, value.nickNames, "SeveralParameters.nickNames")
        output.f64s(value.numbers)
        writeColor(output, value.type)
        output.bytes(value.class_)
        writeOptionOfAny(output, value.self, "SeveralParameters.self")
        output.leave()
    }

    fun readSeveralParameters(input: WireReader): SeveralParameters {
        input.enter()
        val value =
            SeveralParameters(
                readPerson(input),
                readListOfString(input),
                input.f64s(),
                readColor(input),
                input.bytes(),
                readOptionOfAny(input),
            )
        input.leave()
        return value
    }

    fun writeCutParameters(output: WireWriter, value: CutParameters) {
        output.enter()
        writeCut(output, value.how)
        output.bytes(value.data)
        output.leave()
    }

    fun readCutParameters(input: WireReader): CutParameters {
        input.enter()
        val value = CutParameters(readCut(input), input.bytes())
        input.leave()
        return value
    }

    fun writeCut(output: WireWriter, value: Cut) {
        output.i32(value.skip.toInt())
        output.i32(value.times.toInt())
    }

    fun readCut(input: WireReader): Cut = Cut(input.i32().toUInt(), input.i32().toUInt())

    fun writePiece(output: WireWriter, value: Piece) {
        output.enter()
        output.i64(value.length.toLong())
        writeOptionOfU8(output, value.first)
        output.leave()
    }

    fun readPiece(input: WireReader): Piece {
        input.enter()
        val value = Piece(input.i64().toULong(), readOptionOfU8(input))
        input.leave()
        return value
    }

    fun writeCutLaterParameters(output: WireWriter, value: CutLaterParameters) {
        output.enter()
        writeCut(output, value.how)
        output.bytes(value.data)
        output.leave()
    }

    fun readCutLaterParameters(input: WireReader): CutLaterParameters {
        input.enter()
        val value = CutLaterParameters(readCut(input), input.bytes())
        input.leave()
        return value
    }

    fun writeAgedParameters(output: WireWriter, value: AgedParameters) {
        output.enter()
        writePerson(output, value.person)
        output.i32(value.years.toInt())
        output.leave()
    }

    fun readAgedParameters(input: WireReader): AgedParameters {
        input.enter()
        val value = AgedParameters(readPerson(input), input.i32().toUInt())
        input.leave()
        return value
    }

    fun writeStepsParameters(output: WireWriter, value: StepsParameters) {
        output.i64(value.first)
        output.i64(value.last)
        output.i32(value.step.toInt())
    }

    fun readStepsParameters(input: WireReader): StepsParameters =
        StepsParameters(input.i64(), input.i64(), input.i32().toUInt())

    fun writeSearchParameters(output: WireWriter, value: SearchParameters) {
        output.enter()
        output.string(value.name, "SearchParameters.name")
        writeListOfPerson(output, value.people)
        output.leave()
    }

    fun readSearchParameters(input: WireReader): SearchParameters {
        input.enter()
        val value = SearchParameters(input.string(), readListOfPerson(input))
        input.leave()
        return value
    }

    fun writeSearchError(output: WireWriter, value: SearchError) {
        output.enter()
        when (value) {
            is SearchError.Nobody -> {
                output.variant(0)
                writeSearchErrorNobody(output, value)
            }
            is SearchError.Hidden -> output.variant(1)
            is SearchError.Crowd -> {
                output.variant(2)
                writeSearchErrorCrowd(output, value)
            }
        }
        output.leave()
    }

    fun readSearchError(input: WireReader): SearchError {
        input.enter()
        val value =
            when (input.variant(3, "SearchError")) {
                0 -> readSearchErrorNobody(input)
                1 -> SearchError.Hidden
                else -> readSearchErrorCrowd(input)
            }
        input.leave()
        return value
    }

    fun writeSearchErrorNobody(output: WireWriter, value: SearchError.Nobody) {
        output.string(value.name, "SearchError.Nobody.name")
        writeListOfPerson(output, value.similar)
    }

    fun readSearchErrorNobody(input: WireReader): SearchError.Nobody =
        SearchError.Nobody(input.string(), readListOfPerson(input))

    fun writeSearchErrorCrowd(output: WireWriter, value: SearchError.Crowd) {
        output.i64(value.item0.toLong())
        output.f64s(value.item1)
    }

    fun readSearchErrorCrowd(input: WireReader): SearchError.Crowd =
        SearchError.Crowd(input.i64().toULong(), input.f64s())

    fun writeSearchLaterParameters(output: WireWriter, value: SearchLaterParameters) {
        output.enter()
        output.string(value.name, "SearchLaterParameters.name")
        writeListOfPerson(output, value.people)
        output.leave()
    }

    fun readSearchLaterParameters(input: WireReader): SearchLaterParameters {
        input.enter()
        val value = SearchLaterParameters(input.string(), readListOfPerson(input))
        input.leave()
        return value
    }

    fun writePaintParameters(output: WireWriter, value: PaintParameters) {
        output.enter()
        writeColor(output, value.color)
        writeOptionOfColor(output, value.better)
        output.leave()
    }

    fun readPaintParameters(input: WireReader): PaintParameters {
        input.enter()
        val value = PaintParameters(readColor(input), readOptionOfColor(input))
        input.leave()
        return value
    }

    fun writeRefused(output: WireWriter, value: Refused) {
        output.enter()
        writeColor(output, value.color)
        writeOptionOfColor(output, value.better)
        output.leave()
    }

    fun readRefused(input: WireReader): Refused {
        input.enter()
        val value = Refused(readColor(input), readOptionOfColor(input))
        input.leave()
        return value
    }

    fun writePowerError(output: WireWriter, value: PowerError) {
        output.variant(value.ordinal)
    }

    fun readPowerError(input: WireReader): PowerError =
        PowerError.entries.get(input.variant(1, "PowerError"))

    fun writeRepeat(output: WireWriter, value: Repeat) {
        output.enter()
        writePerson(output, value.person)
        output.i32(value.times.toInt())
        output.leave()
    }

    fun readRepeat(input: WireReader): Repeat {
        input.enter()
        val value = Repeat(readPerson(input), input.i32().toUInt())
        input.leave()
        return value
    }

    fun writeBetweenParameters(output: WireWriter, value: BetweenParameters) {
        output.i32(value.youngest.toInt())
        output.i32(value.oldest.toInt())
    }

    fun readBetweenParameters(input: WireReader): BetweenParameters =
        BetweenParameters(input.i32().toUInt(), input.i32().toUInt())

    fun writeCounters(output: WireWriter, value: Counters) {
        output.enter()
        writeOptionOfCounter(output, value.first, "Counters.first")
        writeListOfCounter(output, value.others, "Counters.others")
        output.string(value.name, "Counters.name")
        output.leave()
    }

    fun readCounters(input: WireReader): Counters {
        input.enter()
        val value = Counters(readOptionOfCounter(input), readListOfCounter(input), input.string())
        input.leave()
        return value
    }

    fun writeTransferParameters(output: WireWriter, value: TransferParameters) {
        output.`object`(value.from, "TransferParameters.from")
        output.`object`(value.to, "TransferParameters.to")
        output.i64(value.count)
    }

    fun readTransferParameters(input: WireReader): TransferParameters =
        TransferParameters(readCounter(input), readCounter(input), input.i64())

    fun writeRandom(output: WireWriter, value: Random) {
        output.enter()
        output.string(value.method, "Random.method")
        output.i64(value.seed.toLong())
        output.leave()
    }

    fun readRandom(input: WireReader): Random {
        input.enter()
        val value = Random(input.string(), input.i64().toULong())
        input.leave()
        return value
    }

    fun writeAsJsonParameters(output: WireWriter, value: AsJsonParameters) {
        output.enter()
        output.string(value.method, "AsJsonParameters.method")
        output.bytes(value.message)
        output.leave()
    }

    fun readAsJsonParameters(input: WireReader): AsJsonParameters {
        input.enter()
        val value = AsJsonParameters(input.string(), input.bytes())
        input.leave()
        return value
    }

    fun writeAsMessageParameters(output: WireWriter, value: AsMessageParameters) {
        output.enter()
        output.string(value.method, "AsMessageParameters.method")
        output.string(value.json, "AsMessageParameters.json")
        output.leave()
    }

    fun readAsMessageParameters(input: WireReader): AsMessageParameters {
        input.enter()
        val value = AsMessageParameters(input.string(), input.string())
        input.leave()
        return value
    }

    fun writeOdd(output: WireWriter, value: Odd) {
        output.i64(value.count)
    }

    fun readOdd(input: WireReader): Odd = Odd(input.i64())

    fun writeCounterWithinParameters(output: WireWriter, value: CounterWithinParameters) {
        output.i64(value.least)
        output.i64(value.most)
    }

    fun readCounterWithinParameters(input: WireReader): CounterWithinParameters =
        CounterWithinParameters(input.i64(), input.i64())

    fun readCounter(input: WireReader): Counter =
        Counter(input.client() as Types, input.`object`() as PluginObject)

    fun writeListOfEvent(output: WireWriter, value: List<Event>) {
        output.count(value.size)
        for (item in value) {
            writeEvent(output, item)
        }
    }

    fun readListOfEvent(input: WireReader): List<Event> {
        val items = arrayOfNulls<Any>(input.count(2))
        for (i in items.indices) items[i] = readEvent(input)
        return Values.listOf(items)
    }

    fun writeMapOfStringToPerson(output: WireWriter, value: Map<String, Person>, field: String) {
        output.count(value.size)
        for ((key, item) in value) {
            output.string(key, field)
            writePerson(output, item)
        }
    }

    fun readMapOfStringToPerson(input: WireReader): Map<String, Person> {
        val count = input.count(13)
        val pairs = input.map<String, Person>(count)
        repeat(count) {
            val key = input.string()
            pairs[key] = readPerson(input)
        }
        return input.filled(pairs, count, false)
    }

    fun writeOptionOfPerson(output: WireWriter, value: Person?) {
        output.bool(value != null)
        if (value != null) {
            writePerson(output, value)
        }
    }

    fun readOptionOfPerson(input: WireReader): Person? =
        if (input.bool()) readPerson(input) else null

    fun writeTupleOfU8AndStringAndOptionOfBool(
        output: WireWriter,
        value: Triple<UByte, String, Boolean?>,
        field: String,
    ) {
        output.i8(value.first.toByte())
        output.string(value.second, field)
        writeOptionOfBool(output, value.third)
    }

    fun readTupleOfU8AndStringAndOptionOfBool(input: WireReader): Triple<UByte, String, Boolean?> =
        Triple(input.i8().toUByte(), input.string(), readOptionOfBool(input))

    fun writeTupleOfPersonAndListOfStringAndListOfF64AndColorAndBytesAndOptionOfAny(
        output: WireWriter,
        value: Tuple6<Person, List<String>, DoubleArray, Color, ByteArray, Any?>,
        field: String,
    ) {
        writePerson(output, value.item0)
        writeListOfString(output, value.item1, field)
        output.f64s(value.item2)
        writeColor(output, value.item3)
        output.bytes(value.item4)
        writeOptionOfAny(output, value.item5, field)
    }

    fun readTupleOfPersonAndListOfStringAndListOfF64AndColorAndBytesAndOptionOfAny(
        input: WireReader
    ): Tuple6<Person, List<String>, DoubleArray, Color, ByteArray, Any?> =
        Tuple6(
            readPerson(input),
            readListOfString(input),
            input.f64s(),
            readColor(input),
            input.bytes(),
            readOptionOfAny(input),
        )

    fun writeTupleOfPieceAndBytes(output: WireWriter, value: Pair<Piece, ByteArray>) {
        writePiece(output, value.first)
        output.bytes(value.second)
    }

    fun readTupleOfPieceAndBytes(input: WireReader): Pair<Piece, ByteArray> =
        Pair(readPiece(input), input.bytes())

    fun writeListOfPerson(output: WireWriter, value: List<Person>) {
        output.count(value.size)
        for (item in value) {
            writePerson(output, item)
        }
    }

    fun readListOfPerson(input: WireReader): List<Person> {
        val items = arrayOfNulls<Any>(input.count(9))
        for (i in items.indices) items[i] = readPerson(input)
        return Values.listOf(items)
    }

    fun writeTupleOfI64AndI64(output: WireWriter, value: Pair<Long, Long>) {
        output.i64(value.first)
        output.i64(value.second)
    }

    fun readTupleOfI64AndI64(input: WireReader): Pair<Long, Long> = Pair(input.i64(), input.i64())

    fun writeListOfString(output: WireWriter, value: List<String>, field: String) {
        output.count(value.size)
        for (item in value) {
            output.string(item, field)
        }
    }

    fun readListOfString(input: WireReader): List<String> {
        val items = arrayOfNulls<Any>(input.count(4))
        for (i in items.indices) items[i] = input.string()
        return Values.listOf(items)
    }

    fun writeOptionOfString(output: WireWriter, value: String?, field: String) {
        output.bool(value != null)
        if (value != null) {
            output.string(value, field)
        }
    }

    fun readOptionOfString(input: WireReader): String? = if (input.bool()) input.string() else null

    fun writeMapOfStringToU32(output: WireWriter, value: Map<String, UInt>, field: String) {
        output.count(value.size)
        for ((key, item) in value) {
            output.string(key, field)
            output.i32(item.toInt())
        }
    }

    fun readMapOfStringToU32(input: WireReader): Map<String, UInt> {
        val count = input.count(8)
        val pairs = input.map<String, UInt>(count)
        repeat(count) {
            val key = input.string()
            pairs[key] = input.i32().toUInt()
        }
        return input.filled(pairs, count, false)
    }

    fun writeOptionOfBytes(output: WireWriter, value: ByteArray?) {
        output.bool(value != null)
        if (value != null) {
            output.bytes(value)
        }
    }

    fun readOptionOfBytes(input: WireReader): ByteArray? = if (input.bool()) input.bytes() else null

    fun writeOptionOfTimestamp(output: WireWriter, value: Instant?) {
        output.bool(value != null)
        if (value != null) {
            output.timestamp(value)
        }
    }

    fun readOptionOfTimestamp(input: WireReader): Instant? =
        if (input.bool()) input.timestamp() else null

    fun writeListOfI128(output: WireWriter, value: List<BigInteger>, field: String) {
        output.alignedCount(value.size)
        for (item in value) {
            output.i128(item, field)
        }
    }

    fun readListOfI128(input: WireReader): List<BigInteger> {
        val items = arrayOfNulls<Any>(input.alignedCount(16))
        for (i in items.indices) items[i] = input.i128()
        return Values.listOf(items)
    }

    fun writeListOfListOfU16(output: WireWriter, value: List<UShortArray>) {
        output.count(value.size)
        for (item in value) {
            output.i16s(item.asShortArray())
        }
    }

    fun readListOfListOfU16(input: WireReader): List<UShortArray> {
        val items = arrayOfNulls<Any>(input.count(4))
        for (i in items.indices) items[i] = input.i16s().asUShortArray()
        return Values.listOf(items)
    }

    fun writeArrayOf2ArrayOf2F64(output: WireWriter, value: List<DoubleArray>, field: String) {
        output.length(value.size, 2, field)
        for (item in value) {
            output.f64s(item, 2, field)
        }
    }

    fun readArrayOf2ArrayOf2F64(input: WireReader): List<DoubleArray> {
        input.need(2, 16)
        val items = arrayOfNulls<Any>(2)
        for (i in items.indices) items[i] = input.f64s(2)
        return Values.listOf(items)
    }

    fun writeArrayOf2String(output: WireWriter, value: List<String>, field: String) {
        output.length(value.size, 2, field)
        for (item in value) {
            output.string(item, field)
        }
    }

    fun readArrayOf2String(input: WireReader): List<String> {
        input.need(2, 4)
        val items = arrayOfNulls<Any>(2)
        for (i in items.indices) items[i] = input.string()
        return Values.listOf(items)
    }

    fun writeListOfPoint(output: WireWriter, value: List<Point>) {
        output.alignedCount(value.size)
        for (item in value) {
            writePoint(output, item)
        }
    }

    fun readListOfPoint(input: WireReader): List<Point> {
        val items = arrayOfNulls<Any>(input.alignedCount(16))
        for (i in items.indices) items[i] = readPoint(input)
        return Values.listOf(items)
    }

    fun writeListOfOptionOfU8(output: WireWriter, value: List<UByte?>) {
        output.count(value.size)
        for (item in value) {
            writeOptionOfU8(output, item)
        }
    }

    fun readListOfOptionOfU8(input: WireReader): List<UByte?> {
        val items = arrayOfNulls<Any>(input.count(1))
        for (i in items.indices) items[i] = readOptionOfU8(input)
        return Values.listOfNullable(items)
    }

    fun writeListOfTupleOfU8AndU32(output: WireWriter, value: List<Pair<UByte, UInt>>) {
        output.count(value.size)
        for (item in value) {
            writeTupleOfU8AndU32(output, item)
        }
    }

    fun readListOfTupleOfU8AndU32(input: WireReader): List<Pair<UByte, UInt>> {
        val items = arrayOfNulls<Any>(input.count(5))
        for (i in items.indices) items[i] = readTupleOfU8AndU32(input)
        return Values.listOf(items)
    }

    fun writeMapOfI64ToString(output: WireWriter, value: Map<Long, String>, field: String) {
        output.count(value.size)
        for ((key, item) in value) {
            output.i64(key)
            output.string(item, field)
        }
    }

    fun readMapOfI64ToString(input: WireReader): Map<Long, String> {
        val count = input.count(12)
        val pairs = input.map<Long, String>(count)
        repeat(count) {
            val key = input.i64()
            pairs[key] = input.string()
        }
        return input.filled(pairs, count, false)
    }

    fun writeMapOfCharToBytes(output: WireWriter, value: Map<Int, ByteArray>, field: String) {
        output.count(value.size)
        for ((key, item) in value) {
            output.character(key, field)
            output.bytes(item)
        }
    }

    fun readMapOfCharToBytes(input: WireReader): Map<Int, ByteArray> {
        val count = input.count(8)
        val pairs = input.map<Int, ByteArray>(count)
        repeat(count) {
            val key = input.character()
            pairs[key] = input.bytes()
        }
        return input.filled(pairs, count, false)
    }

    fun writeMapOfColorToPerson(output: WireWriter, value: Map<Color, Person>) {
        output.count(value.size)
        for ((key, item) in value) {
            writeColor(output, key)
            writePerson(output, item)
        }
    }

    fun readMapOfColorToPerson(input: WireReader): Map<Color, Person> {
        val count = input.count(11)
        val pairs = input.map<Color, Person>(count)
        repeat(count) {
            val key = readColor(input)
            pairs[key] = readPerson(input)
        }
        return input.filled(pairs, count, false)
    }

    fun writeMapOfU16ToOptionOfF32(output: WireWriter, value: Map<UShort, Float?>) {
        output.count(value.size)
        for ((key, item) in value) {
            output.i16(key.toShort())
            writeOptionOfF32(output, item)
        }
    }

    fun readMapOfU16ToOptionOfF32(input: WireReader): Map<UShort, Float?> {
        val count = input.count(3)
        val pairs = input.map<UShort, Float?>(count)
        repeat(count) {
            val key = input.i16().toUShort()
            pairs[key] = readOptionOfF32(input)
        }
        return input.filled(pairs, count, true)
    }

    fun writeMapOfStringToMapOfU8ToBool(
        output: WireWriter,
        value: Map<String, Map<UByte, Boolean>>,
        field: String,
    ) {
        output.count(value.size)
        for ((key, item) in value) {
            output.string(key, field)
            writeMapOfU8ToBool(output, item)
        }
    }

    fun readMapOfStringToMapOfU8ToBool(input: WireReader): Map<String, Map<UByte, Boolean>> {
        val count = input.count(8)
        val pairs = input.map<String, Map<UByte, Boolean>>(count)
        repeat(count) {
            val key = input.string()
            pairs[key] = readMapOfU8ToBool(input)
        }
        return input.filled(pairs, count, false)
    }

    fun writeOptionOfUuid(output: WireWriter, value: UUID?) {
        output.bool(value != null)
        if (value != null) {
            output.uuid(value)
        }
    }

    fun readOptionOfUuid(input: WireReader): UUID? = if (input.bool()) input.uuid() else null

    fun writeMapOfUuidToString(output: WireWriter, value: Map<UUID, String>, field: String) {
        output.count(value.size)
        for ((key, item) in value) {
            output.uuid(key)
            output.string(item, field)
        }
    }

    fun readMapOfUuidToString(input: WireReader): Map<UUID, String> {
        val count = input.count(20)
        val pairs = input.map<UUID, String>(count)
        repeat(count) {
            val key = input.uuid()
            pairs[key] = input.string()
        }
        return input.filled(pairs, count, false)
    }

    fun writeListOfDuration(output: WireWriter, value: List<Duration>, field: String) {
        output.count(value.size)
        for (item in value) {
            output.duration(item, field)
        }
    }

    fun readListOfDuration(input: WireReader): List<Duration> {
        val items = arrayOfNulls<Any>(input.count(12))
        for (i in items.indices) items[i] = input.duration()
        return Values.listOf(items)
    }

    fun writeMapOfStringToListOfEndpoint(
        output: WireWriter,
        value: Map<String, List<Endpoint>>,
        field: String,
    ) {
        output.count(value.size)
        for ((key, item) in value) {
            output.string(key, field)
            writeListOfEndpoint(output, item)
        }
    }

    fun readMapOfStringToListOfEndpoint(input: WireReader): Map<String, List<Endpoint>> {
        val count = input.count(8)
        val pairs = input.map<String, List<Endpoint>>(count)
        repeat(count) {
            val key = input.string()
            pairs[key] = readListOfEndpoint(input)
        }
        return input.filled(pairs, count, false)
    }

    fun writeOptionOfF32(output: WireWriter, value: Float?) {
        output.bool(value != null)
        if (value != null) {
            output.f32(value)
        }
    }

    fun readOptionOfF32(input: WireReader): Float? = if (input.bool()) input.f32() else null

    fun writeListOfExpr(output: WireWriter, value: List<Expr>) {
        output.count(value.size)
        for (item in value) {
            writeExpr(output, item)
        }
    }

    fun readListOfExpr(input: WireReader): List<Expr> {
        val items = arrayOfNulls<Any>(input.count(2))
        for (i in items.indices) items[i] = readExpr(input)
        return Values.listOf(items)
    }

    fun writeListOfTree(output: WireWriter, value: List<Tree>) {
        output.count(value.size)
        for (item in value) {
            writeTree(output, item)
        }
    }

    fun readListOfTree(input: WireReader): List<Tree> {
        val items = arrayOfNulls<Any>(input.count(8))
        for (i in items.indices) items[i] = readTree(input)
        return Values.listOf(items)
    }

    fun writeListOfSample(output: WireWriter, value: List<Sample>) {
        output.alignedCount(value.size)
        for (item in value) {
            writeSample(output, item)
        }
    }

    fun readListOfSample(input: WireReader): List<Sample> {
        val items = arrayOfNulls<Any>(input.alignedCount(16))
        for (i in items.indices) items[i] = readSample(input)
        return Values.listOf(items)
    }

    fun writeArrayOf2Point(output: WireWriter, value: List<Point>, field: String) {
        output.length(value.size, 2, field)
        for (item in value) {
            writePoint(output, item)
        }
    }

    fun readArrayOf2Point(input: WireReader): List<Point> {
        input.need(2, 16)
        val items = arrayOfNulls<Any>(2)
        for (i in items.indices) items[i] = readPoint(input)
        return Values.listOf(items)
    }

    fun writeOptionOfU64(output: WireWriter, value: ULong?) {
        output.bool(value != null)
        if (value != null) {
            output.i64(value.toLong())
        }
    }

    fun readOptionOfU64(input: WireReader): ULong? =
        if (input.bool()) input.i64().toULong() else null

    fun writeOptionOfU32(output: WireWriter, value: UInt?) {
        output.bool(value != null)
        if (value != null) {
            output.i32(value.toInt())
        }
    }

    fun readOptionOfU32(input: WireReader): UInt? = if (input.bool()) input.i32().toUInt() else null

    fun writeOptionOfAny(output: WireWriter, value: Any?, field: String) {
        output.bool(value != null)
        if (value != null) {
            output.any(value, field)
        }
    }

    fun readOptionOfAny(input: WireReader): Any? = if (input.bool()) input.any() else null

    fun writeOptionOfU8(output: WireWriter, value: UByte?) {
        output.bool(value != null)
        if (value != null) {
            output.i8(value.toByte())
        }
    }

    fun readOptionOfU8(input: WireReader): UByte? = if (input.bool()) input.i8().toUByte() else null

    fun writeOptionOfColor(output: WireWriter, value: Color?) {
        output.bool(value != null)
        if (value != null) {
            writeColor(output, value)
        }
    }

    fun readOptionOfColor(input: WireReader): Color? = if (input.bool()) readColor(input) else null

    fun writeOptionOfCounter(output: WireWriter, value: Counter?, field: String) {
        output.bool(value != null)
        if (value != null) {
            output.`object`(value, field)
        }
    }

    fun readOptionOfCounter(input: WireReader): Counter? =
        if (input.bool()) readCounter(input) else null

    fun writeListOfCounter(output: WireWriter, value: List<Counter>, field: String) {
        output.count(value.size)
        for (item in value) {
            output.`object`(item, field)
        }
    }

    fun readListOfCounter(input: WireReader): List<Counter> {
        val items = arrayOfNulls<Any>(input.count(4))
        for (i in items.indices) items[i] = readCounter(input)
        return Values.listOf(items)
    }

    fun writeOptionOfBool(output: WireWriter, value: Boolean?) {
        output.bool(value != null)
        if (value != null) {
            output.bool(value)
        }
    }

    fun readOptionOfBool(input: WireReader): Boolean? = if (input.bool()) input.bool() else null

    fun writeTupleOfU8AndU32(output: WireWriter, value: Pair<UByte, UInt>) {
        output.i8(value.first.toByte())
        output.i32(value.second.toInt())
    }

    fun readTupleOfU8AndU32(input: WireReader): Pair<UByte, UInt> =
        Pair(input.i8().toUByte(), input.i32().toUInt())

    fun writeMapOfU8ToBool(output: WireWriter, value: Map<UByte, Boolean>) {
        output.count(value.size)
        for ((key, item) in value) {
            output.i8(key.toByte())
            output.bool(item)
        }
    }

    fun readMapOfU8ToBool(input: WireReader): Map<UByte, Boolean> {
        val count = input.count(2)
        val pairs = input.map<UByte, Boolean>(count)
        repeat(count) {
            val key = input.i8().toUByte()
            pairs[key] = input.bool()
        }
        return input.filled(pairs, count, false)
    }

    fun writeListOfEndpoint(output: WireWriter, value: List<Endpoint>) {
        output.count(value.size)
        for (item in value) {
            writeEndpoint(output, item)
        }
    }

    fun readListOfEndpoint(input: WireReader): List<Endpoint> {
        val items = arrayOfNulls<Any>(input.count(6))
        for (i in items.indices) items[i] = readEndpoint(input)
        return Values.listOf(items)
    }
}

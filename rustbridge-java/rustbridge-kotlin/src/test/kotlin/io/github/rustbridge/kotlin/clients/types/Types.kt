// Written by `rustbridge gen -l kotlin` of the plugin `types`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.TypedClient
import io.github.rustbridge.TypedMethod
import io.github.rustbridge.TypedSending
import io.github.rustbridge.TypedServices
import io.github.rustbridge.kotlin.PluginOptions
import io.github.rustbridge.kotlin.await
import io.github.rustbridge.kotlin.callWith
import io.github.rustbridge.kotlin.exchange
import io.github.rustbridge.kotlin.flow
import io.github.rustbridge.kotlin.pluginConfig
import io.github.rustbridge.kotlin.send
import io.github.rustbridge.kotlin.serve
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import kotlinx.coroutines.flow.Flow

/** Typed methods of the plugin `types`. */
public class Types private constructor(plugin: Plugin, owned: Boolean) :
    TypedClient(plugin, owned) {
    private val every: TypedMethod<Every, Every> =
        method(
            "every",
            "ca824bfa182bedb60ba5827fb6308d6e",
            CONTRACT,
            TypesCodec::writeEvery,
            TypesCodec::readEvery,
        )
    private val numbers: TypedMethod<Numbers, Numbers> =
        method(
            "numbers",
            "4c00d487d36e0c59a73b8f6f78292929",
            CONTRACT,
            TypesCodec::writeNumbers,
            TypesCodec::readNumbers,
        )
    private val texts: TypedMethod<Texts, Texts> =
        method(
            "texts",
            "f88372bd7465d1c1c7d58abd1ba2fc5c",
            CONTRACT,
            TypesCodec::writeTexts,
            TypesCodec::readTexts,
        )
    private val times: TypedMethod<Times, Times> =
        method(
            "times",
            "759fab40f0cf85db3f027917f24af2a3",
            CONTRACT,
            TypesCodec::writeTimes,
            TypesCodec::readTimes,
        )
    private val lists: TypedMethod<Lists, Lists> =
        method(
            "lists",
            "e19f0e80f700832db2772a6cebd4c2f9",
            CONTRACT,
            TypesCodec::writeLists,
            TypesCodec::readLists,
        )
    private val pairs: TypedMethod<Pairs, Pairs> =
        method(
            "pairs",
            "18381038fd3cc6739c4df9d0db6d3a7d",
            CONTRACT,
            TypesCodec::writePairs,
            TypesCodec::readPairs,
        )
    private val person: TypedMethod<Person, Person> =
        method(
            "person",
            "bf3ed839822e0baaebc306432086a7e1",
            CONTRACT,
            TypesCodec::writePerson,
            TypesCodec::readPerson,
        )
    private val people: TypedMethod<PagePerson, PagePerson> =
        method(
            "people",
            "f14e879221aba66dd32dea1fdcfa3fb5",
            CONTRACT,
            TypesCodec::writePagePerson,
            TypesCodec::readPagePerson,
        )
    private val shape: TypedMethod<Shape, Shape> =
        method(
            "shape",
            "7dd99669087d218bd07d831ce8f12470",
            CONTRACT,
            TypesCodec::writeShape,
            TypesCodec::readShape,
        )
    private val color: TypedMethod<Color, Color> =
        method(
            "color",
            "41b0fa431237ac990a79a870076aaf7c",
            CONTRACT,
            TypesCodec::writeColor,
            TypesCodec::readColor,
        )
    private val mood: TypedMethod<Mood, Mood> =
        method(
            "mood",
            "c7593193ffab90a84e3ba13d65bed81c",
            CONTRACT,
            TypesCodec::writeMood,
            TypesCodec::readMood,
        )
    private val events: TypedMethod<List<Event>, List<Event>> =
        method(
            "events",
            "d65898177d1e2e1c69ffb73dff3d77c5",
            CONTRACT,
            TypesCodec::writeListOfEvent,
            TypesCodec::readListOfEvent,
        )
    private val tagged: TypedMethod<Tagged, Tagged> =
        method(
            "tagged",
            "d183e5861f8334a67d13ead1ac5a65ee",
            CONTRACT,
            TypesCodec::writeTagged,
            TypesCodec::readTagged,
        )
    private val untagged: TypedMethod<Untagged, Untagged> =
        method(
            "untagged",
            "718a4fb1dd49ba198222d869932671e5",
            CONTRACT,
            TypesCodec::writeUntagged,
            TypesCodec::readUntagged,
        )
    private val expr: TypedMethod<Expr, Expr> =
        method(
            "expr",
            "2acb38bc4a1b629a4f7e7c75e5c6e069",
            CONTRACT,
            TypesCodec::writeExpr,
            TypesCodec::readExpr,
        )
    private val tree: TypedMethod<Tree, Tree> =
        method(
            "tree",
            "1b32e93a62fd0d6845338c23d026910b",
            CONTRACT,
            TypesCodec::writeTree,
            TypesCodec::readTree,
        )
    private val samples: TypedMethod<Samples, Samples> =
        method(
            "samples",
            "d32918079018f2eb6cbcb959e09e2f43",
            CONTRACT,
            TypesCodec::writeSamples,
            TypesCodec::readSamples,
        )
    private val point: TypedMethod<Point, Point> =
        method(
            "point",
            "d3685ef2581bf9f8d96fec9587f3b77d",
            CONTRACT,
            TypesCodec::writePoint,
            TypesCodec::readPoint,
        )
    private val celsius: TypedMethod<Celsius, Celsius> =
        method(
            "celsius",
            "bbb0e9b3fd7d5e6c0b909b89a85f4205",
            CONTRACT,
            TypesCodec::writeCelsius,
            TypesCodec::readCelsius,
        )
    private val foreign: TypedMethod<Foreign, Foreign> =
        method(
            "foreign",
            "56e4cbbe19262184ba148eac03db284a",
            CONTRACT,
            TypesCodec::writeForeign,
            TypesCodec::readForeign,
        )
    private val bounded: TypedMethod<Bounded, Bounded> =
        method(
            "bounded",
            "7c6bbada5d2a999a2d983e79286f5088",
            CONTRACT,
            TypesCodec::writeBounded,
            TypesCodec::readBounded,
        )
    private val unit: TypedMethod<Unit_, Unit_> =
        method(
            "unit",
            "efe1320e7176f8cf27172bff57e25aff",
            CONTRACT,
            TypesCodec::writeUnit_,
            TypesCodec::readUnit_,
        )
    private val defaults: TypedMethod<Defaults, Defaults> =
        method(
            "defaults",
            "66282979899cf160bb6e43954fc52c0f",
            CONTRACT,
            TypesCodec::writeDefaults,
            TypesCodec::readDefaults,
        )
    private val renamed: TypedMethod<RenamedRecord, RenamedRecord> =
        method(
            "renamed",
            "cd7a190ba7eaee824e01233294ed8356",
            CONTRACT,
            TypesCodec::writeRenamedRecord,
            TypesCodec::readRenamedRecord,
        )
    private val any: TypedMethod<Any?, Any?> =
        method(
            "any",
            "e116563f03bc7feddab9216a0bc693c1",
            CONTRACT,
            { output, value -> output.any(value, "request") },
            { input -> input.any() },
        )
    private val doubles: TypedMethod<DoubleArray, DoubleArray> =
        method(
            "doubles",
            "d44b8782b9348016131b260d1783fb49",
            CONTRACT,
            { output, value -> output.f64s(value) },
            { input -> input.f64s() },
        )
    private val map: TypedMethod<Map<String, Person>, Map<String, Person>> =
        method(
            "map",
            "bd80e829cf3e3e21e657d21ed56285e0",
            CONTRACT,
            { output, value -> TypesCodec.writeMapOfStringToPerson(output, value, "request") },
            TypesCodec::readMapOfStringToPerson,
        )
    private val maybe: TypedMethod<Person?, Person?> =
        method(
            "maybe",
            "e55140d6969ffe47e3a827a8c8f5ce45",
            CONTRACT,
            TypesCodec::writeOptionOfPerson,
            TypesCodec::readOptionOfPerson,
        )
    private val tuple:
        TypedMethod<Triple<UByte, String, Boolean?>, Triple<UByte, String, Boolean?>> =
        method(
            "tuple",
            "593596a45d2ec29ab4f2a45d17290d83",
            CONTRACT,
            { output, value ->
                TypesCodec.writeTupleOfU8AndStringAndOptionOfBool(output, value, "request")
            },
            TypesCodec::readTupleOfU8AndStringAndOptionOfBool,
        )
    private val duration: TypedMethod<Duration, Duration> =
        method(
            "duration",
            "5b51c10a63ab70b8f53e1fee16d44cf8",
            CONTRACT,
            { output, value -> output.duration(value, "request") },
            { input -> input.duration() },
        )
    private val timestamp: TypedMethod<Instant, Instant> =
        method(
            "timestamp",
            "da29a74c3d7ce4896a3f7ee7e36078cd",
            CONTRACT,
            { output, value -> output.timestamp(value) },
            { input -> input.timestamp() },
        )
    private val length: TypedMethod<String, ULong> =
        method(
            "length",
            "29a4c753bb3d9001ad03363342f2e79e",
            CONTRACT,
            { output, value -> output.string(value, "request") },
            { input -> input.i64().toULong() },
        )
    private val oldest: TypedMethod<PagePerson, Person?> =
        method(
            "oldest",
            "27736f54a864a27897c6d5ebb84f2e69",
            CONTRACT,
            TypesCodec::writePagePerson,
            TypesCodec::readOptionOfPerson,
        )
    private val area: TypedMethod<Shape, Double> =
        method(
            "area",
            "10fa9364fd14754d19ec9cfc884b1aee",
            CONTRACT,
            TypesCodec::writeShape,
            { input -> input.f64() },
        )
    private val part: TypedMethod<PartParameters, String> =
        method(
            "part",
            "49b2a515f36339c8aeefffe631da8210",
            CONTRACT,
            TypesCodec::writePartParameters,
            { input -> input.string() },
        )
    private val several:
        TypedMethod<
            SeveralParameters,
            Tuple6<Person, List<String>, DoubleArray, Color, ByteArray, Any?>,
        > =
        method(
            "several",
            "2c711d105bbe29f023c874e10eb3de37",
            CONTRACT,
            TypesCodec::writeSeveralParameters,
            TypesCodec::readTupleOfPersonAndListOfStringAndListOfF64AndColorAndBytesAndOptionOfAny,
        )
    private val cut: TypedMethod<CutParameters, Pair<Piece, ByteArray>> =
        method(
            "cut",
            "f109d30b882069b16d0bb09ae313168b",
            CONTRACT,
            TypesCodec::writeCutParameters,
            TypesCodec::readTupleOfPieceAndBytes,
        )
    private val cutLater: TypedMethod<CutLaterParameters, Pair<Piece, ByteArray>> =
        method(
            "cut_later",
            "f109d30b882069b16d0bb09ae313168b",
            CONTRACT,
            TypesCodec::writeCutLaterParameters,
            TypesCodec::readTupleOfPieceAndBytes,
        )
    private val aged: TypedMethod<AgedParameters, Person> =
        method(
            "aged",
            "d96d8c5aa18abd34800b0a70277f1ae2",
            CONTRACT,
            TypesCodec::writeAgedParameters,
            TypesCodec::readPerson,
        )
    private val steps: TypedMethod<StepsParameters, Long> =
        method(
            "steps",
            "1b06f93494936b12245b3525a5416d28",
            CONTRACT,
            TypesCodec::writeStepsParameters,
            { input -> input.i64() },
        )
    private val later: TypedMethod<Person, Person> =
        method(
            "later",
            "bf3ed839822e0baaebc306432086a7e1",
            CONTRACT,
            TypesCodec::writePerson,
            TypesCodec::readPerson,
        )
    private val search: TypedMethod<SearchParameters, Person> =
        method(
            "search",
            "377cf8857cffb751b1732bbeb1aeff0f",
            CONTRACT,
            TypesCodec::writeSearchParameters,
            TypesCodec::readPerson,
            { failed, input -> SearchException(failed, TypesCodec.readSearchError(input)) },
        )
    private val searchLater: TypedMethod<SearchLaterParameters, Person> =
        method(
            "search_later",
            "377cf8857cffb751b1732bbeb1aeff0f",
            CONTRACT,
            TypesCodec::writeSearchLaterParameters,
            TypesCodec::readPerson,
            { failed, input -> SearchException(failed, TypesCodec.readSearchError(input)) },
        )
    private val paint: TypedMethod<PaintParameters, Color> =
        method(
            "paint",
            "25003722c2e6315d90b231f2ef4a2cc4",
            CONTRACT,
            TypesCodec::writePaintParameters,
            TypesCodec::readColor,
            { failed, input -> RefusedException(failed, TypesCodec.readRefused(input)) },
        )
    private val power: TypedMethod<Boolean, Unit> =
        method(
            "power",
            "71c789d18f4d57dd20031e0341cc4e32",
            CONTRACT,
            { output, value -> output.bool(value) },
            {},
            { failed, input -> PowerException(failed, TypesCodec.readPowerError(input)) },
        )
    private val repeat: TypedMethod<Repeat, Person> =
        method(
            "repeat",
            "5d483719156dbc996277632b762e9e80",
            CONTRACT,
            TypesCodec::writeRepeat,
            TypesCodec::readPerson,
        )
    private val collect: TypedSending<ULong, Person, PagePerson> =
        sending(
            "collect",
            "9ecb7e607fb9abcc14f7aaceebb02e7d",
            CONTRACT,
            { output, value -> output.i64(value.toLong()) },
            TypesCodec::writePerson,
            TypesCodec::readPagePerson,
        )
    private val between: TypedSending<BetweenParameters, Person, List<Person>> =
        sending(
            "between",
            "a12f06887f3b47a6ce5e6834928668cb",
            CONTRACT,
            TypesCodec::writeBetweenParameters,
            TypesCodec::writePerson,
            TypesCodec::readListOfPerson,
        )
    private val reshape: TypedSending<Unit, Shape, Shape> =
        sending(
            "reshape",
            "ae31d0880dfdf7df69b6bc48314151a2",
            CONTRACT,
            { _, _ -> },
            TypesCodec::writeShape,
            TypesCodec::readShape,
        )
    private val counter: TypedMethod<Long, Counter> =
        method(
            "counter",
            "ec165d6c610f39aed01abe986f716064",
            CONTRACT,
            { output, value -> output.i64(value) },
            TypesCodec::readCounter,
        )
    private val counters: TypedMethod<LongArray, Counters> =
        method(
            "counters",
            "0c9a8d1e116aa5d0e6d14e357b9752e9",
            CONTRACT,
            { output, value -> output.i64s(value) },
            TypesCodec::readCounters,
        )
    private val transfer: TypedMethod<TransferParameters, Pair<Long, Long>> =
        method(
            "transfer",
            "eb6c227ff27443abe958f364eab77261",
            CONTRACT,
            TypesCodec::writeTransferParameters,
            TypesCodec::readTupleOfI64AndI64,
        )
    private val total: TypedMethod<Counters, Long> =
        method(
            "total",
            "f2acd3684f438c86832c55e8e71f58bc",
            CONTRACT,
            TypesCodec::writeCounters,
            { input -> input.i64() },
        )
    private val random: TypedMethod<Random, ByteArray> =
        method(
            "random",
            "ccb9b9bd0e5b808e3d420a428a74d812",
            CONTRACT,
            TypesCodec::writeRandom,
            { input -> input.bytes() },
        )
    private val echoes: TypedMethod<Unit, List<String>> =
        method(
            "echoes",
            "c41bde01320ce5cd4796aa1e16c9a8d1",
            CONTRACT,
            { _, _ -> },
            TypesCodec::readListOfString,
        )
    private val asJson: TypedMethod<AsJsonParameters, String?> =
        method(
            "as_json",
            "28b4afe73c3e42654fdae474fcc8d1ef",
            CONTRACT,
            TypesCodec::writeAsJsonParameters,
            TypesCodec::readOptionOfString,
        )
    private val asMessage: TypedMethod<AsMessageParameters, ByteArray> =
        method(
            "as_message",
            "a631c2c1bd71fff75d95c1c158d6a176",
            CONTRACT,
            TypesCodec::writeAsMessageParameters,
            { input -> input.bytes() },
        )
    private val ask: TypedMethod<String, Person?> =
        method(
            "ask",
            "9886e54c7f570a55f5e6a4bfb4215684",
            CONTRACT,
            { output, value -> output.string(value, "request") },
            TypesCodec::readOptionOfPerson,
        )
    private val askLater: TypedMethod<String, Person> =
        method(
            "ask_later",
            "cde246a1db3f86a4b1b380d84fb0d082",
            CONTRACT,
            { output, value -> output.string(value, "request") },
            TypesCodec::readPerson,
        )
    private val askCount: TypedMethod<Unit, ULong> =
        method(
            "ask_count",
            "63b26b9256268d2492d152d819049261",
            CONTRACT,
            { _, _ -> },
            { input -> input.i64().toULong() },
        )
    private val askAges: TypedMethod<List<Person>, Map<String, UInt>> =
        method(
            "ask_ages",
            "b83cfeffed46a49b7a9b78755f51cd1c",
            CONTRACT,
            TypesCodec::writeListOfPerson,
            TypesCodec::readMapOfStringToU32,
        )
    internal val counter__add: TypedMethod<Long, Long> =
        objectMethod(
            "Counter.add",
            "570fd8a0f9600afe5dc59cb60cafc18c",
            CONTRACT,
            { output, value -> output.i64(value) },
            { input -> input.i64() },
        )
    internal val counter__addLater: TypedMethod<Long, Long> =
        objectMethod(
            "Counter.add_later",
            "570fd8a0f9600afe5dc59cb60cafc18c",
            CONTRACT,
            { output, value -> output.i64(value) },
            { input -> input.i64() },
        )
    internal val counter__half: TypedMethod<Unit, Long> =
        objectMethod(
            "Counter.half",
            "34231d9746f76ea5b3c09c28aa21b1cd",
            CONTRACT,
            { _, _ -> },
            { input -> input.i64() },
            { failed, input -> OddException(failed, TypesCodec.readOdd(input)) },
        )
    internal val counter__within: TypedMethod<CounterWithinParameters, Boolean> =
        objectMethod(
            "Counter.within",
            "e3728e4d27cafb7e29610055d6936f17",
            CONTRACT,
            TypesCodec::writeCounterWithinParameters,
            { input -> input.bool() },
        )
    internal val counter__get: TypedMethod<Unit, Long> =
        objectMethod(
            "Counter.get",
            "0623d9bd222f675fe8a051ce992515af",
            CONTRACT,
            { _, _ -> },
            { input -> input.i64() },
        )
    internal val counter__absorb: TypedMethod<Counter, Long> =
        objectMethod(
            "Counter.absorb",
            "fa16e2261cd04f529e96258df45a24a3",
            CONTRACT,
            { output, value -> output.`object`(value, "request") },
            { input -> input.i64() },
        )
    internal val counter__upto: TypedMethod<Long, Long> =
        objectMethod(
            "Counter.upto",
            "6f4048bc7dae2eeaf52f29717bb4eb05",
            CONTRACT,
            { output, value -> output.i64(value) },
            { input -> input.i64() },
        )
    internal val counter__admit: TypedSending<Unit, Person, Long> =
        objectSending(
            "Counter.admit",
            "685f995b1f52ce252fe62469410e15da",
            CONTRACT,
            { _, _ -> },
            TypesCodec::writePerson,
            { input -> input.i64() },
        )

    /**
     * One of each.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun every(request: Every, options: CallOptions = CallOptions.defaults()): Every =
        this.every.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun numbers(request: Numbers, options: CallOptions = CallOptions.defaults()): Numbers =
        this.numbers.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun texts(request: Texts, options: CallOptions = CallOptions.defaults()): Texts =
        this.texts.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun times(request: Times, options: CallOptions = CallOptions.defaults()): Times =
        this.times.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun lists(request: Lists, options: CallOptions = CallOptions.defaults()): Lists =
        this.lists.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun pairs(request: Pairs, options: CallOptions = CallOptions.defaults()): Pairs =
        this.pairs.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun person(request: Person, options: CallOptions = CallOptions.defaults()): Person =
        this.person.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun people(
        request: PagePerson,
        options: CallOptions = CallOptions.defaults(),
    ): PagePerson = this.people.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun shape(request: Shape, options: CallOptions = CallOptions.defaults()): Shape =
        this.shape.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun color(request: Color, options: CallOptions = CallOptions.defaults()): Color =
        this.color.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun mood(request: Mood, options: CallOptions = CallOptions.defaults()): Mood =
        this.mood.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun events(
        request: List<Event>,
        options: CallOptions = CallOptions.defaults(),
    ): List<Event> = this.events.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun tagged(request: Tagged, options: CallOptions = CallOptions.defaults()): Tagged =
        this.tagged.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun untagged(
        request: Untagged,
        options: CallOptions = CallOptions.defaults(),
    ): Untagged = this.untagged.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun expr(request: Expr, options: CallOptions = CallOptions.defaults()): Expr =
        this.expr.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun tree(request: Tree, options: CallOptions = CallOptions.defaults()): Tree =
        this.tree.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun samples(request: Samples, options: CallOptions = CallOptions.defaults()): Samples =
        this.samples.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun point(request: Point, options: CallOptions = CallOptions.defaults()): Point =
        this.point.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun celsius(request: Celsius, options: CallOptions = CallOptions.defaults()): Celsius =
        this.celsius.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun foreign(request: Foreign, options: CallOptions = CallOptions.defaults()): Foreign =
        this.foreign.callWith(request, options)

    /**
     * What is checked when it's read.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun bounded(request: Bounded, options: CallOptions = CallOptions.defaults()): Bounded =
        this.bounded.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun unit(request: Unit_, options: CallOptions = CallOptions.defaults()): Unit_ =
        this.unit.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun defaults(
        request: Defaults,
        options: CallOptions = CallOptions.defaults(),
    ): Defaults = this.defaults.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun renamed(
        request: RenamedRecord,
        options: CallOptions = CallOptions.defaults(),
    ): RenamedRecord = this.renamed.callWith(request, options)

    /**
     * A value that says itself what it is.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun any(request: Any?, options: CallOptions = CallOptions.defaults()): Any? =
        this.any.callWith(request, options)

    /**
     * A list that is one copy.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun doubles(
        request: DoubleArray,
        options: CallOptions = CallOptions.defaults(),
    ): DoubleArray = this.doubles.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun map(
        request: Map<String, Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Map<String, Person> = this.map.callWith(request, options)

    /**
     * Somebody, perhaps.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun maybe(request: Person?, options: CallOptions = CallOptions.defaults()): Person? =
        this.maybe.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun tuple(
        request: Triple<UByte, String, Boolean?>,
        options: CallOptions = CallOptions.defaults(),
    ): Triple<UByte, String, Boolean?> = this.tuple.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun duration(
        request: Duration,
        options: CallOptions = CallOptions.defaults(),
    ): Duration = this.duration.callWith(request, options)

    /**
     * Gives back what it gets.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun timestamp(request: Instant, options: CallOptions = CallOptions.defaults()): Instant =
        this.timestamp.callWith(request, options)

    /**
     * How many characters a text has.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun length(request: String, options: CallOptions = CallOptions.defaults()): ULong =
        this.length.callWith(request, options)

    /**
     * Who is the oldest of them.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun oldest(request: PagePerson, options: CallOptions = CallOptions.defaults()): Person? =
        this.oldest.callWith(request, options)

    /**
     * The area of a shape.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun area(request: Shape, options: CallOptions = CallOptions.defaults()): Double =
        this.area.callWith(request, options)

    /**
     * A part of a text: `count` of its characters, from the one at `start`; all that are left if
     * it's none.
     *
     * @param text `text`
     * @param start `start`
     * @param count `count`
     * @param options what the call carries besides
     * @return the response
     */
    public fun part(
        text: String,
        start: UInt,
        count: UInt? = null,
        options: CallOptions = CallOptions.defaults(),
    ): String = this.part.callWith(PartParameters(text, start, count), options)

    /**
     * Gives back what it gets one by one and lent, under names of every kind.
     *
     * @param person `person`
     * @param nickNames `nickNames`
     * @param numbers `numbers`
     * @param type `type`
     * @param class_ `class_`
     * @param self `self`
     * @param options what the call carries besides
     * @return the response
     */
    public fun several(
        person: Person,
        nickNames: List<String>,
        numbers: DoubleArray,
        type: Color,
        class_: ByteArray,
        self: Any? = null,
        options: CallOptions = CallOptions.defaults(),
    ): Tuple6<Person, List<String>, DoubleArray, Color, ByteArray, Any?> =
        this.several.callWith(
            SeveralParameters(person, nickNames, numbers, type, class_, self),
            options,
        )

    /**
     * Bytes beside what is to be done with them, and beside what is said of them.
     *
     * @param how `how`
     * @param data `data`
     * @param options what the call carries besides
     * @return the response
     */
    public fun cut(
        how: Cut,
        data: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): Pair<Piece, ByteArray> = this.cut.callWith(CutParameters(how, data), options)

    /**
     * The same, from an `async fn`.
     *
     * @param how `how`
     * @param data `data`
     * @param options what the call carries besides
     * @return the response
     */
    public fun cutLater(
        how: Cut,
        data: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): Pair<Piece, ByteArray> = this.cutLater.callWith(CutLaterParameters(how, data), options)

    /**
     * The same, from an `async fn`.
     *
     * @param how `how`
     * @param data `data`
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitCutLater(
        how: Cut,
        data: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): Pair<Piece, ByteArray> = this.cutLater.await(CutLaterParameters(how, data), options)

    /**
     * Somebody older, from an `async fn`.
     *
     * @param person `person`
     * @param years `years`
     * @param options what the call carries besides
     * @return the response
     */
    public fun aged(
        person: Person,
        years: UInt,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.aged.callWith(AgedParameters(person, years), options)

    /**
     * Somebody older, from an `async fn`.
     *
     * @param person `person`
     * @param years `years`
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitAged(
        person: Person,
        years: UInt,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.aged.await(AgedParameters(person, years), options)

    /**
     * The numbers from the first up to before the last, each so much more than the one before.
     *
     * @param first `first`
     * @param last `last`
     * @param step `step`
     * @param options what the call carries besides
     * @return a cold flow of the items, each of whose collectors has a call of its own
     */
    public fun steps(
        first: Long,
        last: Long,
        step: UInt,
        options: CallOptions = CallOptions.defaults(),
    ): Flow<Long> = this.steps.flow(StepsParameters(first, last, step), options)

    /**
     * Gives back what it gets, from an `async fn`.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun later(request: Person, options: CallOptions = CallOptions.defaults()): Person =
        this.later.callWith(request, options)

    /**
     * Gives back what it gets, from an `async fn`.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitLater(
        request: Person,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.later.await(request, options)

    /**
     * Who is called so. A name that is empty is hidden.
     *
     * @param name `name`
     * @param people `people`
     * @param options what the call carries besides
     * @return the response
     * @throws SearchException if it fails with `SearchError`
     */
    public fun search(
        name: String,
        people: List<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.search.callWith(SearchParameters(name, people), options)

    /**
     * Who is called so, from an `async fn`.
     *
     * @param name `name`
     * @param people `people`
     * @param options what the call carries besides
     * @return the response
     * @throws SearchException if it fails with `SearchError`
     */
    public fun searchLater(
        name: String,
        people: List<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.searchLater.callWith(SearchLaterParameters(name, people), options)

    /**
     * Who is called so, from an `async fn`.
     *
     * @param name `name`
     * @param people `people`
     * @param options what the call carries besides
     * @return the response
     * @throws SearchException if it fails with `SearchError`
     */
    public suspend fun awaitSearchLater(
        name: String,
        people: List<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.searchLater.await(SearchLaterParameters(name, people), options)

    /**
     * Takes no red.
     *
     * @param color `color`
     * @param better `better`
     * @param options what the call carries besides
     * @return the response
     * @throws RefusedException if it fails with `Refused`
     */
    public fun paint(
        color: Color,
        better: Color? = null,
        options: CallOptions = CallOptions.defaults(),
    ): Color = this.paint.callWith(PaintParameters(color, better), options)

    /**
     * Does nothing where there's power.
     *
     * @param request the request
     * @param options what the call carries besides
     * @throws PowerException if it fails with `PowerError`
     */
    public fun power(request: Boolean, options: CallOptions = CallOptions.defaults()): Unit =
        this.power.callWith(request, options)

    /**
     * Somebody again and again, each time a year older.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return a cold flow of the items, each of whose collectors has a call of its own
     */
    public fun repeat(
        request: Repeat,
        options: CallOptions = CallOptions.defaults(),
    ): Flow<Person> = this.repeat.flow(request, options)

    /**
     * Those who are sent, with how many there are together with those before.
     *
     * @param request the request
     * @param items what is sent, collected as fast as the plugin asks for it
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun collect(
        request: ULong,
        items: Flow<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): PagePerson = this.collect.send(request, items, options)

    /**
     * Those who are sent and are between the two ages, both included.
     *
     * @param youngest `youngest`
     * @param oldest `oldest`
     * @param items what is sent, collected as fast as the plugin asks for it
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun between(
        youngest: UInt,
        oldest: UInt,
        items: Flow<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): List<Person> = this.between.send(BetweenParameters(youngest, oldest), items, options)

    /**
     * Sends back each shape that it's sent.
     *
     * @param items what is sent, collected as fast as the plugin asks for it
     * @param options what the call carries besides
     * @return a cold flow of the items, each of whose collectors has a call of its own
     */
    public fun reshape(
        items: Flow<Shape>,
        options: CallOptions = CallOptions.defaults(),
    ): Flow<Shape> = this.reshape.exchange(Unit, items, options)

    /**
     * A counter that begins there.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the object, to be closed, best by `use`
     */
    public fun counter(request: Long, options: CallOptions = CallOptions.defaults()): Counter =
        this.counter.call(request, options)

    /**
     * Counters in a message: the first begins there, and the others at what follows.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun counters(
        request: LongArray,
        options: CallOptions = CallOptions.defaults(),
    ): Counters = this.counters.call(request, options)

    /**
     * Takes from one counter what it adds to another, and gives what both have then.
     *
     * @param from `from`
     * @param to `to`
     * @param count `count`
     * @param options what the call carries besides
     * @return the response
     */
    public fun transfer(
        from: Counter,
        to: Counter,
        count: Long,
        options: CallOptions = CallOptions.defaults(),
    ): Pair<Long, Long> = this.transfer.call(TransferParameters(from, to, count), options)

    /**
     * What counters have counted in all.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun total(request: Counters, options: CallOptions = CallOptions.defaults()): Long =
        this.total.call(request, options)

    /**
     * The message of a random value, as bytes: what the method of that name takes and gives.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun random(request: Random, options: CallOptions = CallOptions.defaults()): ByteArray =
        this.random.callWith(request, options)

    /**
     * The methods that give back what they get, of which there are random values.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun echoes(options: CallOptions = CallOptions.defaults()): List<String> =
        this.echoes.callWith(Unit, options)

    /**
     * A message of what the method of that name takes and gives, as JSON. None if JSON has no form
     * for it.
     *
     * @param method `method`
     * @param message `message`
     * @param options what the call carries besides
     * @return the response
     */
    public fun asJson(
        method: String,
        message: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): String? = this.asJson.callWith(AsJsonParameters(method, message), options)

    /**
     * The message of what is JSON of what the method of that name takes and gives.
     *
     * @param method `method`
     * @param json `json`
     * @param options what the call carries besides
     * @return the response
     */
    public fun asMessage(
        method: String,
        json: String,
        options: CallOptions = CallOptions.defaults(),
    ): ByteArray = this.asMessage.callWith(AsMessageParameters(method, json), options)

    /**
     * Asks the host's directory for somebody.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun ask(request: String, options: CallOptions = CallOptions.defaults()): Person? =
        this.ask.callWith(request, options)

    /**
     * The same, from an `async fn` that waits for the host without a thread.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askLater(request: String, options: CallOptions = CallOptions.defaults()): Person =
        this.askLater.callWith(request, options)

    /**
     * The same, from an `async fn` that waits for the host without a thread.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitAskLater(
        request: String,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.askLater.await(request, options)

    /**
     * How many there are in the host's directory.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun askCount(options: CallOptions = CallOptions.defaults()): ULong =
        this.askCount.callWith(Unit, options)

    /**
     * Has the host say how old people are, each by name.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askAges(
        request: List<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Map<String, UInt> = this.askAges.callWith(request, options)

    /** What makes clients. */
    public companion object {
        private val CONTRACT: String = buildString {
            append("{\"methods\":[{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":")
            append("6,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":")
            append("{\"ref\":0}},\"response\":{\"type\":{\"ref\":0}}}],\"name\":\"every\"},{\"en")
            append("tries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":13,\"items\":null,")
            append("\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1}},\"re")
            append("sponse\":{\"type\":{\"ref\":1}}}],\"name\":\"numbers\"},{\"entries\":[{\"enc")
            append("oding\":\"wire\",\"error\":null,\"index\":20,\"items\":null,\"kind\":\"unary")
            append("\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":2}},\"response\":{\"type")
            append("\":{\"ref\":2}}}],\"name\":\"texts\"},{\"entries\":[{\"encoding\":\"wire\",")
            append("\"error\":null,\"index\":27,\"items\":null,\"kind\":\"unary\",\"receiver\":")
            append("\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}")
            append("],\"name\":\"times\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"")
            append("index\":34,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{")
            append("\"type\":{\"ref\":4}},\"response\":{\"type\":{\"ref\":4}}}],\"name\":\"lists")
            append("\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":41,\"items")
            append("\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":")
            append("7}},\"response\":{\"type\":{\"ref\":7}}}],\"name\":\"pairs\"},{\"entries\":[")
            append("{\"encoding\":\"wire\",\"error\":null,\"index\":48,\"items\":null,\"kind\":")
            append("\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":5}},\"response\":")
            append("{\"type\":{\"ref\":5}}}],\"name\":\"person\"},{\"entries\":[{\"encoding\":\"")
            append("wire\",\"error\":null,\"index\":55,\"items\":null,\"kind\":\"unary\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":{\"ref\":11}},\"response\":{\"type\":{\"ref")
            append("\":11}}}],\"name\":\"people\"},{\"entries\":[{\"encoding\":\"wire\",\"error")
            append("\":null,\"index\":62,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"r")
            append("equest\":{\"type\":{\"ref\":13}},\"response\":{\"type\":{\"ref\":13}}}],\"na")
            append("me\":\"shape\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":69,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"typ")
            append("e\":{\"ref\":8}},\"response\":{\"type\":{\"ref\":8}}}],\"name\":\"color\"},{")
            append("\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":76,\"items\":nu")
            append("ll,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":24}},")
            append("\"response\":{\"type\":{\"ref\":24}}}],\"name\":\"mood\"},{\"entries\":[{\"e")
            append("ncoding\":\"wire\",\"error\":null,\"index\":83,\"items\":null,\"kind\":\"una")
            append("ry\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":25}}},\"resp")
            append("onse\":{\"type\":{\"list\":{\"ref\":25}}}}],\"name\":\"events\"},{\"entries")
            append("\":[{\"encoding\":\"wire\",\"error\":null,\"index\":90,\"items\":null,\"kind")
            append("\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":14}},\"respons")
            append("e\":{\"type\":{\"ref\":14}}}],\"name\":\"tagged\"},{\"entries\":[{\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":97,\"items\":null,\"kind\":\"unary\",\"")
            append("receiver\":\"\",\"request\":{\"type\":{\"ref\":15}},\"response\":{\"type\":{")
            append("\"ref\":15}}}],\"name\":\"untagged\"},{\"entries\":[{\"encoding\":\"wire\",")
            append("\"error\":null,\"index\":104,\"items\":null,\"kind\":\"unary\",\"receiver\":")
            append("\"\",\"request\":{\"type\":{\"ref\":16}},\"response\":{\"type\":{\"ref\":16}")
            append("}}],\"name\":\"expr\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,")
            append("\"index\":111,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request")
            append("\":{\"type\":{\"ref\":17}},\"response\":{\"type\":{\"ref\":17}}}],\"name\":")
            append("\"tree\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":118,")
            append("\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{")
            append("\"ref\":18}},\"response\":{\"type\":{\"ref\":18}}}],\"name\":\"samples\"},{")
            append("\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":125,\"items\":n")
            append("ull,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":6}},")
            append("\"response\":{\"type\":{\"ref\":6}}}],\"name\":\"point\"},{\"entries\":[{\"e")
            append("ncoding\":\"wire\",\"error\":null,\"index\":132,\"items\":null,\"kind\":\"un")
            append("ary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":20}},\"response\":{\"")
            append("type\":{\"ref\":20}}}],\"name\":\"celsius\"},{\"entries\":[{\"encoding\":\"w")
            append("ire\",\"error\":null,\"index\":139,\"items\":null,\"kind\":\"unary\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":{\"ref\":9}},\"response\":{\"type\":{\"ref")
            append("\":9}}}],\"name\":\"foreign\"},{\"entries\":[{\"encoding\":\"wire\",\"error")
            append("\":null,\"index\":146,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"")
            append("request\":{\"type\":{\"ref\":26}},\"response\":{\"type\":{\"ref\":26}}}],\"n")
            append("ame\":\"bounded\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"ind")
            append("ex\":153,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"")
            append("type\":{\"ref\":21}},\"response\":{\"type\":{\"ref\":21}}}],\"name\":\"unit")
            append("\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":160,\"item")
            append("s\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\"")
            append(":22}},\"response\":{\"type\":{\"ref\":22}}}],\"name\":\"defaults\"},{\"entri")
            append("es\":[{\"encoding\":\"wire\",\"error\":null,\"index\":167,\"items\":null,\"k")
            append("ind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":23}},\"resp")
            append("onse\":{\"type\":{\"ref\":23}}}],\"name\":\"renamed\"},{\"entries\":[{\"enco")
            append("ding\":\"wire\",\"error\":null,\"index\":174,\"items\":null,\"kind\":\"unary")
            append("\",\"receiver\":\"\",\"request\":{\"type\":\"any\"},\"response\":{\"type\":")
            append("\"any\"}}],\"name\":\"any\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":181,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"req")
            append("uest\":{\"type\":{\"list\":\"f64\"}},\"response\":{\"type\":{\"list\":\"f64")
            append("\"}}}],\"name\":\"doubles\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":188,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"req")
            append("uest\":{\"type\":{\"map\":[\"string\",{\"ref\":5}]}},\"response\":{\"type\":")
            append("{\"map\":[\"string\",{\"ref\":5}]}}}],\"name\":\"map\"},{\"entries\":[{\"enc")
            append("oding\":\"wire\",\"error\":null,\"index\":195,\"items\":null,\"kind\":\"unar")
            append("y\",\"receiver\":\"\",\"request\":{\"type\":{\"option\":{\"ref\":5}}},\"resp")
            append("onse\":{\"type\":{\"option\":{\"ref\":5}}}}],\"name\":\"maybe\"},{\"entries")
            append("\":[{\"encoding\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"kin")
            append("d\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"tuple\":[\"u8\",\"s")
            append("tring\",{\"option\":\"bool\"}]}},\"response\":{\"type\":{\"tuple\":[\"u8\",")
            append("\"string\",{\"option\":\"bool\"}]}}}],\"name\":\"tuple\"},{\"entries\":[{\"e")
            append("ncoding\":\"wire\",\"error\":null,\"index\":209,\"items\":null,\"kind\":\"un")
            append("ary\",\"receiver\":\"\",\"request\":{\"type\":\"duration\"},\"response\":{\"")
            append("type\":\"duration\"}}],\"name\":\"duration\"},{\"entries\":[{\"encoding\":\"")
            append("wire\",\"error\":null,\"index\":216,\"items\":null,\"kind\":\"unary\",\"rece")
            append("iver\":\"\",\"request\":{\"type\":\"timestamp\"},\"response\":{\"type\":\"ti")
            append("mestamp\"}}],\"name\":\"timestamp\"},{\"entries\":[{\"encoding\":\"wire\",\"")
            append("error\":null,\"index\":223,\"items\":null,\"kind\":\"unary\",\"receiver\":\"")
            append("\",\"request\":{\"type\":\"string\"},\"response\":{\"type\":\"u64\"}}],\"nam")
            append("e\":\"length\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":230,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"ty")
            append("pe\":{\"ref\":11}},\"response\":{\"type\":{\"option\":{\"ref\":5}}}}],\"name")
            append("\":\"oldest\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\"")
            append(":237,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type")
            append("\":{\"ref\":13}},\"response\":{\"type\":\"f64\"}}],\"name\":\"area\"},{\"ent")
            append("ries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":244,\"items\":null,")
            append("\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":27}},\"r")
            append("esponse\":{\"type\":\"string\"}}],\"name\":\"part\"},{\"entries\":[{\"encodi")
            append("ng\":\"wire\",\"error\":null,\"index\":251,\"items\":null,\"kind\":\"unary\"")
            append(",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":28}},\"response\":{\"type")
            append("\":{\"tuple\":[{\"ref\":5},{\"list\":\"string\"},{\"list\":\"f64\"},{\"ref\"")
            append(":8},\"bytes\",{\"option\":\"any\"}]}}}],\"name\":\"several\"},{\"entries\":[")
            append("{\"encoding\":\"wire\",\"error\":null,\"index\":258,\"items\":null,\"kind\":")
            append("\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":29}},\"response\"")
            append(":{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut\"},{\"entr")
            append("ies\":[{\"encoding\":\"wire\",\"error\":null,\"index\":265,\"items\":null,\"")
            append("kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":32}},\"res")
            append("ponse\":{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut_lat")
            append("er\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":272,\"it")
            append("ems\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref")
            append("\":33}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"aged\"},{\"entries")
            append("\":[{\"encoding\":\"wire\",\"error\":null,\"index\":279,\"items\":null,\"kin")
            append("d\":\"server_stream\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":34}},")
            append("\"response\":{\"type\":\"i64\"}}],\"name\":\"steps\"},{\"entries\":[{\"encod")
            append("ing\":\"wire\",\"error\":null,\"index\":286,\"items\":null,\"kind\":\"unary")
            append("\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":5}},\"response\":{\"type")
            append("\":{\"ref\":5}}}],\"name\":\"later\"},{\"entries\":[{\"encoding\":\"wire\",")
            append("\"error\":{\"type\":{\"ref\":36}},\"index\":293,\"items\":null,\"kind\":\"un")
            append("ary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":35}},\"response\":{\"")
            append("type\":{\"ref\":5}}}],\"name\":\"search\"},{\"entries\":[{\"encoding\":\"wir")
            append("e\",\"error\":{\"type\":{\"ref\":36}},\"index\":300,\"items\":null,\"kind\":")
            append("\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":37}},\"response\"")
            append(":{\"type\":{\"ref\":5}}}],\"name\":\"search_later\"},{\"entries\":[{\"encodi")
            append("ng\":\"wire\",\"error\":{\"type\":{\"ref\":39}},\"index\":307,\"items\":null")
            append(",\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":38}},\"")
            append("response\":{\"type\":{\"ref\":8}}}],\"name\":\"paint\"},{\"entries\":[{\"enc")
            append("oding\":\"wire\",\"error\":{\"type\":{\"ref\":40}},\"index\":314,\"items\":n")
            append("ull,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":\"bool\"},\"r")
            append("esponse\":{\"type\":\"unit\"}}],\"name\":\"power\"},{\"entries\":[{\"encodin")
            append("g\":\"wire\",\"error\":null,\"index\":321,\"items\":null,\"kind\":\"server_s")
            append("tream\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":41}},\"response\":{")
            append("\"type\":{\"ref\":5}}}],\"name\":\"repeat\"},{\"entries\":[{\"encoding\":\"w")
            append("ire\",\"error\":null,\"index\":328,\"items\":{\"type\":{\"ref\":5}},\"kind\"")
            append(":\"client_stream\",\"receiver\":\"\",\"request\":{\"type\":\"u64\"},\"respon")
            append("se\":{\"type\":{\"ref\":11}}}],\"name\":\"collect\"},{\"entries\":[{\"encodi")
            append("ng\":\"wire\",\"error\":null,\"index\":335,\"items\":{\"type\":{\"ref\":5}},")
            append("\"kind\":\"client_stream\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":")
            append("42}},\"response\":{\"type\":{\"list\":{\"ref\":5}}}}],\"name\":\"between\"},")
            append("{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":342,\"items\":")
            append("{\"type\":{\"ref\":13}},\"kind\":\"bidi_stream\",\"receiver\":\"\",\"request")
            append("\":{\"type\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"res")
            append("hape\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":349,\"")
            append("items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":\"i6")
            append("4\"},\"response\":{\"type\":{\"object\":\"Counter\"}}}],\"name\":\"counter\"")
            append("},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":356,\"items")
            append("\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"list\"")
            append(":\"i64\"}},\"response\":{\"type\":{\"ref\":43}}}],\"name\":\"counters\"},{\"")
            append("entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":363,\"items\":nul")
            append("l,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":44}},")
            append("\"response\":{\"type\":{\"tuple\":[\"i64\",\"i64\"]}}}],\"name\":\"transfer")
            append("\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":370,\"item")
            append("s\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\"")
            append(":43}},\"response\":{\"type\":\"i64\"}}],\"name\":\"total\"},{\"entries\":[{")
            append("\"encoding\":\"wire\",\"error\":null,\"index\":377,\"items\":null,\"kind\":")
            append("\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":45}},\"response\"")
            append(":{\"type\":\"bytes\"}}],\"name\":\"random\"},{\"entries\":[{\"encoding\":\"w")
            append("ire\",\"error\":null,\"index\":384,\"items\":null,\"kind\":\"unary\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":{\"list\":")
            append("\"string\"}}}],\"name\":\"echoes\"},{\"entries\":[{\"encoding\":\"wire\",\"e")
            append("rror\":null,\"index\":391,\"items\":null,\"kind\":\"unary\",\"receiver\":\"")
            append("\",\"request\":{\"type\":{\"ref\":46}},\"response\":{\"type\":{\"option\":\"")
            append("string\"}}}],\"name\":\"as_json\"},{\"entries\":[{\"encoding\":\"wire\",\"er")
            append("ror\":null,\"index\":398,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\"")
            append(",\"request\":{\"type\":{\"ref\":47}},\"response\":{\"type\":\"bytes\"}}],\"n")
            append("ame\":\"as_message\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"")
            append("index\":405,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":")
            append("{\"type\":\"string\"},\"response\":{\"type\":{\"option\":{\"ref\":5}}}}],\"n")
            append("ame\":\"ask\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\"")
            append(":412,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type")
            append("\":\"string\"},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"ask_later\"}")
            append(",{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":419,\"items\"")
            append(":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},")
            append("\"response\":{\"type\":\"u64\"}}],\"name\":\"ask_count\"},{\"entries\":[{\"e")
            append("ncoding\":\"wire\",\"error\":null,\"index\":426,\"items\":null,\"kind\":\"un")
            append("ary\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":5}}},\"resp")
            append("onse\":{\"type\":{\"map\":[\"string\",\"u32\"]}}}],\"name\":\"ask_ages\"},{")
            append("\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":433,\"items\":n")
            append("ull,\"kind\":\"unary\",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64")
            append("\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.add\"},{\"entries\"")
            append(":[{\"encoding\":\"wire\",\"error\":null,\"index\":440,\"items\":null,\"kind")
            append("\":\"unary\",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64\"},\"respo")
            append("nse\":{\"type\":\"i64\"}}],\"name\":\"Counter.add_later\"},{\"entries\":[{\"")
            append("encoding\":\"wire\",\"error\":{\"type\":{\"ref\":48}},\"index\":447,\"items")
            append("\":null,\"kind\":\"unary\",\"receiver\":\"Counter\",\"request\":{\"type\":\"")
            append("unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.half\"},{\"entr")
            append("ies\":[{\"encoding\":\"wire\",\"error\":null,\"index\":454,\"items\":null,\"")
            append("kind\":\"unary\",\"receiver\":\"Counter\",\"request\":{\"type\":{\"ref\":49}")
            append("},\"response\":{\"type\":\"bool\"}}],\"name\":\"Counter.within\"},{\"entries")
            append("\":[{\"encoding\":\"wire\",\"error\":null,\"index\":461,\"items\":null,\"kin")
            append("d\":\"unary\",\"receiver\":\"Counter\",\"request\":{\"type\":\"unit\"},\"res")
            append("ponse\":{\"type\":\"i64\"}}],\"name\":\"Counter.get\"},{\"entries\":[{\"enco")
            append("ding\":\"wire\",\"error\":null,\"index\":468,\"items\":null,\"kind\":\"unary")
            append("\",\"receiver\":\"Counter\",\"request\":{\"type\":{\"object\":\"Counter\"}},")
            append("\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.absorb\"},{\"entries\":")
            append("[{\"encoding\":\"wire\",\"error\":null,\"index\":475,\"items\":null,\"kind\"")
            append(":\"server_stream\",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64\"},")
            append("\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.upto\"},{\"entries\":[{")
            append("\"encoding\":\"wire\",\"error\":null,\"index\":482,\"items\":{\"type\":{\"re")
            append("f\":5}},\"kind\":\"client_stream\",\"receiver\":\"Counter\",\"request\":{\"t")
            append("ype\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.admit\"")
            append("}],\"name\":\"types\",\"services\":[{\"encoding\":\"wire\",\"name\":\"direct")
            append("ory.find\",\"optional\":true,\"request\":{\"type\":\"string\"},\"response\":")
            append("{\"type\":{\"option\":{\"ref\":5}}}},{\"encoding\":\"wire\",\"name\":\"direc")
            append("tory.fetch\",\"optional\":true,\"request\":{\"type\":\"string\"},\"response")
            append("\":{\"type\":{\"ref\":5}}},{\"encoding\":\"wire\",\"name\":\"directory.count")
            append("\",\"optional\":true,\"request\":{\"type\":\"unit\"},\"response\":{\"type\":")
            append("\"u64\"}},{\"encoding\":\"wire\",\"name\":\"ages.of\",\"optional\":true,\"re")
            append("quest\":{\"type\":{\"list\":{\"ref\":5}}},\"response\":{\"type\":{\"map\":[")
            append("\"string\",\"u32\"]}}}],\"types\":[{\"name\":\"Every\",\"record\":[{\"name\"")
            append(":\"numbers\",\"type\":{\"ref\":1}},{\"name\":\"texts\",\"type\":{\"ref\":2}}")
            append(",{\"name\":\"times\",\"type\":{\"ref\":3}},{\"name\":\"lists\",\"type\":{\"r")
            append("ef\":4}},{\"name\":\"pairs\",\"type\":{\"ref\":7}},{\"name\":\"foreign\",\"t")
            append("ype\":{\"ref\":9}},{\"name\":\"people\",\"type\":{\"ref\":11}},{\"name\":\"w")
            append("ords\",\"type\":{\"ref\":12}},{\"name\":\"color\",\"type\":{\"ref\":8}},{\"n")
            append("ame\":\"shape\",\"type\":{\"ref\":13}},{\"name\":\"tagged\",\"type\":{\"ref")
            append("\":14}},{\"name\":\"untagged\",\"type\":{\"ref\":15}},{\"name\":\"expr\",\"t")
            append("ype\":{\"ref\":16}},{\"name\":\"tree\",\"type\":{\"ref\":17}},{\"name\":\"sa")
            append("mples\",\"type\":{\"ref\":18}},{\"name\":\"celsius\",\"type\":{\"ref\":20}},")
            append("{\"name\":\"unit\",\"type\":{\"ref\":21}},{\"name\":\"defaults\",\"type\":{")
            append("\"ref\":22}},{\"name\":\"renamed\",\"type\":{\"ref\":23}},{\"name\":\"any\",")
            append("\"type\":\"any\"},{\"name\":\"tuple\",\"type\":{\"tuple\":[\"u8\",\"string\"")
            append(",{\"option\":\"bool\"}]}}]},{\"name\":\"Numbers\",\"record\":[{\"name\":\"u8")
            append("\",\"type\":\"u8\"},{\"name\":\"u16\",\"type\":\"u16\"},{\"name\":\"u32\",\"")
            append("type\":\"u32\"},{\"name\":\"u64\",\"type\":\"u64\"},{\"name\":\"u128\",\"typ")
            append("e\":\"u128\"},{\"name\":\"i8\",\"type\":\"i8\"},{\"name\":\"i16\",\"type\":")
            append("\"i16\"},{\"name\":\"i32\",\"type\":\"i32\"},{\"name\":\"i64\",\"type\":\"i6")
            append("4\"},{\"name\":\"i128\",\"type\":\"i128\"},{\"name\":\"f32\",\"type\":\"f32")
            append("\"},{\"name\":\"f64\",\"type\":\"f64\"},{\"name\":\"bool\",\"type\":\"bool\"")
            append("},{\"name\":\"char\",\"type\":\"char\"},{\"name\":\"size\",\"type\":\"u64\"}")
            append(",{\"name\":\"unit\",\"type\":\"unit\"}]},{\"name\":\"Texts\",\"record\":[{\"")
            append("name\":\"text\",\"type\":\"string\"},{\"name\":\"boxed\",\"type\":\"string\"")
            append("},{\"name\":\"maybe_bytes\",\"type\":{\"option\":\"bytes\"}},{\"name\":\"byt")
            append("es\",\"type\":\"bytes\"},{\"name\":\"maybe\",\"type\":{\"option\":\"string\"")
            append("}}]},{\"name\":\"Times\",\"record\":[{\"name\":\"at\",\"type\":\"timestamp\"")
            append("},{\"name\":\"lasts\",\"type\":\"duration\"},{\"name\":\"ends\",\"type\":{\"")
            append("option\":\"timestamp\"}}]},{\"name\":\"Lists\",\"record\":[{\"name\":\"bytes")
            append("\",\"type\":\"bytes\"},{\"name\":\"small\",\"type\":{\"list\":\"i8\"}},{\"na")
            append("me\":\"numbers\",\"type\":{\"list\":\"u32\"}},{\"name\":\"doubles\",\"type\"")
            append(":{\"list\":\"f64\"}},{\"name\":\"large\",\"type\":{\"list\":\"i128\"}},{\"na")
            append("me\":\"bools\",\"type\":{\"list\":\"bool\"}},{\"name\":\"texts\",\"type\":{")
            append("\"list\":\"string\"}},{\"name\":\"nested\",\"type\":{\"list\":{\"list\":\"u1")
            append("6\"}}},{\"name\":\"fixed\",\"type\":{\"array\":[\"u32\",3]}},{\"name\":\"mat")
            append("rix\",\"type\":{\"array\":[{\"array\":[\"f64\",2]},2]}},{\"name\":\"names\",")
            append("\"type\":{\"array\":[\"string\",2]}},{\"name\":\"set\",\"type\":{\"list\":\"")
            append("u32\"}},{\"name\":\"people\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"po")
            append("ints\",\"type\":{\"list\":{\"ref\":6}}},{\"name\":\"sizes\",\"type\":{\"list")
            append("\":\"u64\"}},{\"name\":\"boxes\",\"type\":{\"list\":\"f32\"}},{\"name\":\"ch")
            append("ars\",\"type\":{\"list\":\"char\"}},{\"name\":\"options\",\"type\":{\"list\"")
            append(":{\"option\":\"u8\"}}},{\"name\":\"tuples\",\"type\":{\"list\":{\"tuple\":[")
            append("\"u8\",\"u32\"]}}}]},{\"name\":\"Person\",\"record\":[{\"name\":\"name\",\"t")
            append("ype\":\"string\"},{\"name\":\"age\",\"type\":\"u32\"},{\"name\":\"email\",\"")
            append("type\":{\"option\":\"string\"}}]},{\"name\":\"Point\",\"pod\":[{\"name\":\"x")
            append("\",\"type\":\"f64\"},{\"name\":\"y\",\"type\":\"f64\"}]},{\"name\":\"Pairs\"")
            append(",\"record\":[{\"name\":\"by_name\",\"type\":{\"map\":[\"string\",\"u32\"]}},")
            append("{\"name\":\"by_number\",\"type\":{\"map\":[\"i64\",\"string\"]}},{\"name\":")
            append("\"by_char\",\"type\":{\"map\":[\"char\",\"bytes\"]}},{\"name\":\"by_color\",")
            append("\"type\":{\"map\":[{\"ref\":8},{\"ref\":5}]}},{\"name\":\"hashed\",\"type\":")
            append("{\"map\":[\"u16\",{\"option\":\"f32\"}]}},{\"name\":\"nested\",\"type\":{\"m")
            append("ap\":[\"string\",{\"map\":[\"u8\",\"bool\"]}]}}]},{\"enum\":{\"variants\":[{")
            append("\"name\":\"red\"},{\"name\":\"green\"},{\"name\":\"dark_blue\"}]},\"name\":")
            append("\"Color\"},{\"name\":\"Foreign\",\"record\":[{\"name\":\"id\",\"type\":\"uui")
            append("d\"},{\"name\":\"parent\",\"type\":{\"option\":\"uuid\"}},{\"name\":\"names")
            append("\",\"type\":{\"map\":[\"uuid\",\"string\"]}},{\"name\":\"made\",\"type\":\"t")
            append("imestamp\"},{\"name\":\"took\",\"type\":\"duration\"},{\"name\":\"seen\",\"t")
            append("ype\":\"timestamp\"},{\"name\":\"waits\",\"type\":{\"list\":\"duration\"}},{")
            append("\"name\":\"ends\",\"type\":{\"option\":\"timestamp\"}},{\"name\":\"lasts\",")
            append("\"type\":\"duration\"},{\"name\":\"at\",\"type\":{\"ref\":10}},{\"name\":\"o")
            append("thers\",\"type\":{\"map\":[\"string\",{\"list\":{\"ref\":10}}]}}]},{\"name\"")
            append(":\"Endpoint\",\"record\":[{\"name\":\"address\",\"type\":\"string\"},{\"name")
            append("\":\"port\",\"type\":\"u16\"}]},{\"name\":\"PagePerson\",\"record\":[{\"name")
            append("\":\"items\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"total\",\"type\":")
            append("\"u64\"}]},{\"name\":\"PageString\",\"record\":[{\"name\":\"items\",\"type\"")
            append(":{\"list\":\"string\"}},{\"name\":\"total\",\"type\":\"u64\"}]},{\"enum\":{")
            append("\"variants\":[{\"name\":\"Nothing\"},{\"fields\":[{\"name\":\"radius\",\"typ")
            append("e\":\"f64\"}],\"name\":\"Circle\"},{\"name\":\"Polygon\",\"tuple\":[{\"list")
            append("\":{\"ref\":6}}]}]},\"name\":\"Shape\"},{\"enum\":{\"tag\":{\"inside\":\"kin")
            append("d\"},\"variants\":[{\"fields\":[{\"name\":\"atSecond\",\"type\":\"u64\"}],\"")
            append("name\":\"started\"},{\"fields\":[{\"name\":\"toPlace\",\"type\":{\"ref\":6}}")
            append(",{\"name\":\"howFast\",\"type\":{\"option\":\"f32\"}}],\"name\":\"moved\"},{")
            append("\"name\":\"stopped\"}]},\"name\":\"Tagged\"},{\"enum\":{\"tag\":\"none\",\"v")
            append("ariants\":[{\"name\":\"Number\",\"tuple\":[\"i64\"]},{\"name\":\"Text\",\"tu")
            append("ple\":[\"string\"]},{\"name\":\"Both\",\"tuple\":[\"i64\",\"string\"]}]},\"n")
            append("ame\":\"Untagged\"},{\"enum\":{\"variants\":[{\"name\":\"Number\",\"tuple\":")
            append("[\"f64\"]},{\"name\":\"Negated\",\"tuple\":[{\"ref\":16}]},{\"name\":\"Sum\"")
            append(",\"tuple\":[{\"ref\":16},{\"ref\":16}]},{\"fields\":[{\"name\":\"name\",\"ty")
            append("pe\":\"string\"},{\"name\":\"arguments\",\"type\":{\"list\":{\"ref\":16}}}],")
            append("\"name\":\"Call\"}]},\"name\":\"Expr\"},{\"name\":\"Tree\",\"record\":[{\"na")
            append("me\":\"name\",\"type\":\"string\"},{\"name\":\"children\",\"type\":{\"list\"")
            append(":{\"ref\":17}}}]},{\"name\":\"Samples\",\"record\":[{\"name\":\"name\",\"typ")
            append("e\":\"string\"},{\"name\":\"first\",\"type\":{\"ref\":19}},{\"name\":\"all\"")
            append(",\"type\":{\"list\":{\"ref\":19}}},{\"name\":\"pair\",\"type\":{\"array\":[{")
            append("\"ref\":6},2]}}]},{\"name\":\"Sample\",\"pod\":[{\"name\":\"time\",\"type\":")
            append("\"u64\"},{\"name\":\"value\",\"type\":\"f32\"},{\"name\":\"channel\",\"type")
            append("\":\"u16\"},{\"name\":\"flags\",\"type\":{\"array\":[\"u8\",2]}}]},{\"name\"")
            append(":\"Celsius\",\"newtype\":\"f64\"},{\"name\":\"Unit\",\"newtype\":\"unit\"},{")
            append("\"name\":\"Defaults\",\"record\":[{\"default\":true,\"name\":\"count\",\"typ")
            append("e\":\"u32\"},{\"default\":true,\"name\":\"name\",\"type\":\"string\"},{\"def")
            append("ault\":true,\"name\":\"list\",\"type\":\"bytes\"},{\"default\":true,\"name\"")
            append(":\"maybe\",\"type\":{\"option\":\"u64\"}}]},{\"name\":\"RenamedRecord\",\"re")
            append("cord\":[{\"name\":\"firstName\",\"type\":\"string\"},{\"name\":\"type\",\"ty")
            append("pe\":{\"ref\":8}},{\"name\":\"class\",\"type\":\"u8\"},{\"flatten\":true,\"n")
            append("ame\":\"person\",\"type\":{\"ref\":5}}]},{\"enum\":{\"open\":true,\"variants")
            append("\":[{\"name\":\"Calm\"},{\"name\":\"Glad\"}]},\"name\":\"Mood\"},{\"enum\":{")
            append("\"open\":true,\"variants\":[{\"name\":\"Came\"},{\"fields\":[{\"name\":\"oth")
            append("ers\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"mood\",\"type\":{\"ref\":")
            append("24}}],\"name\":\"Met\"},{\"name\":\"Said\",\"tuple\":[\"string\"]}]},\"name")
            append("\":\"Event\"},{\"name\":\"Bounded\",\"record\":[{\"name\":\"share\",\"type\"")
            append(":\"u8\"},{\"name\":\"all\",\"type\":\"bytes\"}]},{\"name\":\"PartParameters")
            append("\",\"record\":[{\"name\":\"text\",\"type\":\"string\"},{\"name\":\"start\",")
            append("\"type\":\"u32\"},{\"name\":\"count\",\"type\":{\"option\":\"u32\"}}]},{\"na")
            append("me\":\"SeveralParameters\",\"record\":[{\"name\":\"person\",\"type\":{\"ref")
            append("\":5}},{\"name\":\"nick_names\",\"type\":{\"list\":\"string\"}},{\"name\":\"")
            append("numbers\",\"type\":{\"list\":\"f64\"}},{\"name\":\"type\",\"type\":{\"ref\":")
            append("8}},{\"name\":\"class\",\"type\":\"bytes\"},{\"name\":\"self_\",\"type\":{\"")
            append("option\":\"any\"}}]},{\"name\":\"CutParameters\",\"record\":[{\"name\":\"how")
            append("\",\"type\":{\"ref\":30}},{\"name\":\"data\",\"type\":\"bytes\"}]},{\"name\"")
            append(":\"Cut\",\"record\":[{\"name\":\"skip\",\"type\":\"u32\"},{\"name\":\"times")
            append("\",\"type\":\"u32\"}]},{\"name\":\"Piece\",\"record\":[{\"name\":\"length\",")
            append("\"type\":\"u64\"},{\"name\":\"first\",\"type\":{\"option\":\"u8\"}}]},{\"nam")
            append("e\":\"CutLaterParameters\",\"record\":[{\"name\":\"how\",\"type\":{\"ref\":3")
            append("0}},{\"name\":\"data\",\"type\":\"bytes\"}]},{\"name\":\"AgedParameters\",\"")
            append("record\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"years\",\"t")
            append("ype\":\"u32\"}]},{\"name\":\"StepsParameters\",\"record\":[{\"name\":\"first")
            append("\",\"type\":\"i64\"},{\"name\":\"last\",\"type\":\"i64\"},{\"name\":\"step\"")
            append(",\"type\":\"u32\"}]},{\"name\":\"SearchParameters\",\"record\":[{\"name\":\"")
            append("name\",\"type\":\"string\"},{\"name\":\"people\",\"type\":{\"list\":{\"ref\"")
            append(":5}}}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name\":\"name\",\"type\":\"")
            append("string\"},{\"name\":\"similar\",\"type\":{\"list\":{\"ref\":5}}}],\"name\":")
            append("\"Nobody\"},{\"name\":\"Hidden\"},{\"name\":\"Crowd\",\"tuple\":[\"u64\",{\"")
            append("list\":\"f64\"}]}]},\"name\":\"SearchError\"},{\"name\":\"SearchLaterParamet")
            append("ers\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"people")
            append("\",\"type\":{\"list\":{\"ref\":5}}}]},{\"name\":\"PaintParameters\",\"record")
            append("\":[{\"name\":\"color\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":")
            append("{\"option\":{\"ref\":8}}}]},{\"name\":\"Refused\",\"record\":[{\"name\":\"co")
            append("lor\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":{\"option\":{\"ref")
            append("\":8}}}]},{\"enum\":{\"variants\":[{\"name\":\"Out\"}]},\"name\":\"PowerErro")
            append("r\"},{\"name\":\"Repeat\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\"")
            append(":5}},{\"name\":\"times\",\"type\":\"u32\"}]},{\"name\":\"BetweenParameters\"")
            append(",\"record\":[{\"name\":\"youngest\",\"type\":\"u32\"},{\"name\":\"oldest\",")
            append("\"type\":\"u32\"}]},{\"name\":\"Counters\",\"record\":[{\"name\":\"first\",")
            append("\"type\":{\"option\":{\"object\":\"Counter\"}}},{\"name\":\"others\",\"type")
            append("\":{\"list\":{\"object\":\"Counter\"}}},{\"name\":\"name\",\"type\":\"string")
            append("\"}]},{\"name\":\"TransferParameters\",\"record\":[{\"name\":\"from\",\"type")
            append("\":{\"object\":\"Counter\"}},{\"name\":\"to\",\"type\":{\"object\":\"Counter")
            append("\"}},{\"name\":\"count\",\"type\":\"i64\"}]},{\"name\":\"Random\",\"record\"")
            append(":[{\"name\":\"method\",\"type\":\"string\"},{\"name\":\"seed\",\"type\":\"u6")
            append("4\"}]},{\"name\":\"AsJsonParameters\",\"record\":[{\"name\":\"method\",\"typ")
            append("e\":\"string\"},{\"name\":\"message\",\"type\":\"bytes\"}]},{\"name\":\"AsMe")
            append("ssageParameters\",\"record\":[{\"name\":\"method\",\"type\":\"string\"},{\"n")
            append("ame\":\"json\",\"type\":\"string\"}]},{\"name\":\"Odd\",\"record\":[{\"name")
            append("\":\"count\",\"type\":\"i64\"}]},{\"name\":\"CounterWithinParameters\",\"rec")
            append("ord\":[{\"name\":\"least\",\"type\":\"i64\"},{\"name\":\"most\",\"type\":\"i")
            append("64\"}]}],\"version\":\"0.1.0\"}")
        }

        /**
         * Calls an instance of the plugin, which goes on to belong to the caller.
         *
         * @param plugin the instance
         * @return a client of it
         * @throws PluginException if the plugin's types are others than those that this was written
         *   from
         */
        public fun of(plugin: Plugin): Types = Types(plugin, false)

        /**
         * Loads the plugin. It's closed with the client.
         *
         * @param library the plugin's library
         * @param directory what answers when the plugin asks `directory`; null if nothing does
         * @param ages what answers when the plugin asks `ages`; null if nothing does
         * @param configure how to load it, as `loadPlugin` has it
         * @return a client of it, to be closed, best by `use`
         * @throws PluginException if it can't be loaded, or the plugin's types are others than
         *   those that this was written from
         */
        public fun load(
            library: Path,
            directory: Directory? = null,
            ages: Ages? = null,
            configure: PluginOptions.() -> Unit = {},
        ): Types {
            val config = serving(pluginConfig(configure), directory = directory, ages = ages)
            return loaded(library, config) { Types(it, true) }
        }

        private fun serving(
            config: PluginConfig,
            directory: Directory? = null,
            ages: Ages? = null,
        ): PluginConfig {
            val services = TypedServices(config, CONTRACT)
            if (directory != null) {
                services.serve(
                    "directory.find",
                    { input -> input.string() },
                    TypesCodec::writeOptionOfPerson,
                    { directory.find(it) },
                )
                services.serve(
                    "directory.fetch",
                    { input -> input.string() },
                    TypesCodec::writePerson,
                    { directory.fetch(it) },
                )
                services.serve(
                    "directory.count",
                    {},
                    { output, value -> output.i64(value.toLong()) },
                    { directory.count() },
                )
            }
            if (ages != null) {
                services.serve(
                    "ages.of",
                    TypesCodec::readListOfPerson,
                    { output, value ->
                        TypesCodec.writeMapOfStringToU32(output, value, "response")
                    },
                    { ages.of(it) },
                )
            }
            return services.config()
        }
    }
}

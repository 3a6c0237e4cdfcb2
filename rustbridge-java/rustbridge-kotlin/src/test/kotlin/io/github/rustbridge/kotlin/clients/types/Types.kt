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
    private val hex: TypedMethod<ByteArray, String> =
        method(
            "hex",
            "10cb7552ba6e2ec516f8450ac1f6a7a5",
            CONTRACT,
            { output, value -> output.bytes(value, value.size, "request") },
            { input -> input.restString() },
        )
    private val hexLater: TypedMethod<ByteArray, String> =
        method(
            "hex_later",
            "10cb7552ba6e2ec516f8450ac1f6a7a5",
            CONTRACT,
            { output, value -> output.bytes(value, value.size, "request") },
            { input -> input.restString() },
        )
    private val unhex: TypedMethod<String, ByteArray> =
        method(
            "unhex",
            "dd541130f82a84c26844095adfda7f83",
            CONTRACT,
            { output, value -> output.rawString(value, "request") },
            { input -> input.rest() },
        )
    private val nonzero: TypedMethod<ByteArray, ULong> =
        method(
            "nonzero",
            "e9b43b29874d38f68f29d0a28f57d5bf",
            CONTRACT,
            { output, value -> output.bytes(value) },
            { input -> input.i64().toULong() },
        )
    private val magic: TypedMethod<Unit, ByteArray> =
        method(
            "magic",
            "aaee54f20060ca765edf811e8ff746d2",
            CONTRACT,
            { _, _ -> },
            { input -> input.rest() },
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
    public fun maybe(
        request: Person? = null,
        options: CallOptions = CallOptions.defaults(),
    ): Person? = this.maybe.callWith(request, options)

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
     * The bytes in hexadecimal digits: raw bytes for raw text.
     *
     * @param data the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun hex(data: ByteArray, options: CallOptions = CallOptions.defaults()): String =
        this.hex.callWith(data, options)

    /**
     * The same, from an `async fn`.
     *
     * @param data the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun hexLater(data: ByteArray, options: CallOptions = CallOptions.defaults()): String =
        this.hexLater.callWith(data, options)

    /**
     * The same, from an `async fn`.
     *
     * @param data the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitHexLater(
        data: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): String = this.hexLater.await(data, options)

    /**
     * The bytes of hexadecimal digits: raw text for raw bytes.
     *
     * @param digits the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun unhex(digits: String, options: CallOptions = CallOptions.defaults()): ByteArray =
        this.unhex.callWith(digits, options)

    /**
     * How many bytes aren't zero: bytes for a number, which is no raw answer.
     *
     * @param data the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun nonzero(data: ByteArray, options: CallOptions = CallOptions.defaults()): ULong =
        this.nonzero.callWith(data, options)

    /**
     * The first bytes of a PNG: raw bytes for nothing.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun magic(options: CallOptions = CallOptions.defaults()): ByteArray =
        this.magic.callWith(Unit, options)

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
     * @param before the request
     * @param items what is sent, collected as fast as the plugin asks for it
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun collect(
        before: ULong,
        items: Flow<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): PagePerson = this.collect.send(before, items, options)

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
     * @param start the request
     * @param options what the call carries besides
     * @return the object, to be closed, best by `use`
     */
    public fun counter(start: Long, options: CallOptions = CallOptions.defaults()): Counter =
        this.counter.call(start, options)

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
     * @param name the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun ask(name: String, options: CallOptions = CallOptions.defaults()): Person? =
        this.ask.callWith(name, options)

    /**
     * The same, from an `async fn` that waits for the host without a thread.
     *
     * @param name the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askLater(name: String, options: CallOptions = CallOptions.defaults()): Person =
        this.askLater.callWith(name, options)

    /**
     * The same, from an `async fn` that waits for the host without a thread.
     *
     * @param name the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitAskLater(
        name: String,
        options: CallOptions = CallOptions.defaults(),
    ): Person = this.askLater.await(name, options)

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
     * @param people the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askAges(
        people: List<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Map<String, UInt> = this.askAges.callWith(people, options)

    /** What makes clients. */
    public companion object {
        private val CONTRACT: String = buildString {
            append("{\"methods\":[{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"err")
            append("or\":null,\"index\":6,\"items\":null,\"kind\":\"unary\",\"parameter\":\"requ")
            append("est\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":0}},\"response\":{\"t")
            append("ype\":{\"ref\":0}}}],\"name\":\"every\"},{\"entries\":[{\"arguments\":false,")
            append("\"encoding\":\"wire\",\"error\":null,\"index\":13,\"items\":null,\"kind\":\"")
            append("unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{")
            append("\"ref\":1}},\"response\":{\"type\":{\"ref\":1}}}],\"name\":\"numbers\"},{\"e")
            append("ntries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":20,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver")
            append("\":\"\",\"request\":{\"type\":{\"ref\":2}},\"response\":{\"type\":{\"ref\":2")
            append("}}}],\"name\":\"texts\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"w")
            append("ire\",\"error\":null,\"index\":27,\"items\":null,\"kind\":\"unary\",\"parame")
            append("ter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"res")
            append("ponse\":{\"type\":{\"ref\":3}}}],\"name\":\"times\"},{\"entries\":[{\"argume")
            append("nts\":false,\"encoding\":\"wire\",\"error\":null,\"index\":34,\"items\":null")
            append(",\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":")
            append("{\"type\":{\"ref\":4}},\"response\":{\"type\":{\"ref\":4}}}],\"name\":\"list")
            append("s\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null")
            append(",\"index\":41,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"")
            append("receiver\":\"\",\"request\":{\"type\":{\"ref\":7}},\"response\":{\"type\":{")
            append("\"ref\":7}}}],\"name\":\"pairs\"},{\"entries\":[{\"arguments\":false,\"encod")
            append("ing\":\"wire\",\"error\":null,\"index\":48,\"items\":null,\"kind\":\"unary\"")
            append(",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":")
            append("5}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"person\"},{\"entries\":")
            append("[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":55,\"it")
            append("ems\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"")
            append("request\":{\"type\":{\"ref\":11}},\"response\":{\"type\":{\"ref\":11}}}],\"n")
            append("ame\":\"people\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",")
            append("\"error\":null,\"index\":62,\"items\":null,\"kind\":\"unary\",\"parameter\":")
            append("\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":13}},\"response")
            append("\":{\"type\":{\"ref\":13}}}],\"name\":\"shape\"},{\"entries\":[{\"arguments")
            append("\":false,\"encoding\":\"wire\",\"error\":null,\"index\":69,\"items\":null,\"")
            append("kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"")
            append("type\":{\"ref\":8}},\"response\":{\"type\":{\"ref\":8}}}],\"name\":\"color\"")
            append("},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"")
            append("index\":76,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"rec")
            append("eiver\":\"\",\"request\":{\"type\":{\"ref\":24}},\"response\":{\"type\":{\"r")
            append("ef\":24}}}],\"name\":\"mood\"},{\"entries\":[{\"arguments\":false,\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":83,\"items\":null,\"kind\":\"unary\",\"")
            append("parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":{")
            append("\"ref\":25}}},\"response\":{\"type\":{\"list\":{\"ref\":25}}}}],\"name\":\"e")
            append("vents\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":90,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request")
            append("\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":14}},\"response\":{\"typ")
            append("e\":{\"ref\":14}}}],\"name\":\"tagged\"},{\"entries\":[{\"arguments\":false,")
            append("\"encoding\":\"wire\",\"error\":null,\"index\":97,\"items\":null,\"kind\":\"")
            append("unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{")
            append("\"ref\":15}},\"response\":{\"type\":{\"ref\":15}}}],\"name\":\"untagged\"},{")
            append("\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"ind")
            append("ex\":104,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":{\"ref\":16}},\"response\":{\"type\":{\"ref")
            append("\":16}}}],\"name\":\"expr\"},{\"entries\":[{\"arguments\":false,\"encoding\"")
            append(":\"wire\",\"error\":null,\"index\":111,\"items\":null,\"kind\":\"unary\",\"p")
            append("arameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":17}}")
            append(",\"response\":{\"type\":{\"ref\":17}}}],\"name\":\"tree\"},{\"entries\":[{\"")
            append("arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":118,\"items")
            append("\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"req")
            append("uest\":{\"type\":{\"ref\":18}},\"response\":{\"type\":{\"ref\":18}}}],\"name")
            append("\":\"samples\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"e")
            append("rror\":null,\"index\":125,\"items\":null,\"kind\":\"unary\",\"parameter\":\"")
            append("request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":6}},\"response\":")
            append("{\"type\":{\"ref\":6}}}],\"name\":\"point\"},{\"entries\":[{\"arguments\":fa")
            append("lse,\"encoding\":\"wire\",\"error\":null,\"index\":132,\"items\":null,\"kind")
            append("\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type")
            append("\":{\"ref\":20}},\"response\":{\"type\":{\"ref\":20}}}],\"name\":\"celsius\"")
            append("},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"")
            append("index\":139,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"re")
            append("ceiver\":\"\",\"request\":{\"type\":{\"ref\":9}},\"response\":{\"type\":{\"r")
            append("ef\":9}}}],\"name\":\"foreign\"},{\"entries\":[{\"arguments\":false,\"encodi")
            append("ng\":\"wire\",\"error\":null,\"index\":146,\"items\":null,\"kind\":\"unary\"")
            append(",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":")
            append("26}},\"response\":{\"type\":{\"ref\":26}}}],\"name\":\"bounded\"},{\"entries")
            append("\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":153,")
            append("\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"")
            append("\",\"request\":{\"type\":{\"ref\":21}},\"response\":{\"type\":{\"ref\":21}}}")
            append("],\"name\":\"unit\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire")
            append("\",\"error\":null,\"index\":160,\"items\":null,\"kind\":\"unary\",\"paramete")
            append("r\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":22}},\"resp")
            append("onse\":{\"type\":{\"ref\":22}}}],\"name\":\"defaults\"},{\"entries\":[{\"arg")
            append("uments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":167,\"items\":")
            append("null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"reques")
            append("t\":{\"type\":{\"ref\":23}},\"response\":{\"type\":{\"ref\":23}}}],\"name\":")
            append("\"renamed\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"erro")
            append("r\":null,\"index\":174,\"items\":null,\"kind\":\"unary\",\"parameter\":\"req")
            append("uest\",\"receiver\":\"\",\"request\":{\"type\":\"any\"},\"response\":{\"type")
            append("\":\"any\"}}],\"name\":\"any\"},{\"entries\":[{\"arguments\":false,\"encodin")
            append("g\":\"wire\",\"error\":null,\"index\":181,\"items\":null,\"kind\":\"unary\",")
            append("\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":")
            append("\"f64\"}},\"response\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"doubles\"}")
            append(",{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i")
            append("ndex\":188,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"rec")
            append("eiver\":\"\",\"request\":{\"type\":{\"map\":[\"string\",{\"ref\":5}]}},\"res")
            append("ponse\":{\"type\":{\"map\":[\"string\",{\"ref\":5}]}}}],\"name\":\"map\"},{")
            append("\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"ind")
            append("ex\":195,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":{\"option\":{\"ref\":5}}},\"response\":{\"t")
            append("ype\":{\"option\":{\"ref\":5}}}}],\"name\":\"maybe\"},{\"entries\":[{\"argum")
            append("ents\":false,\"encoding\":\"wire\",\"error\":null,\"index\":202,\"items\":nu")
            append("ll,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request")
            append("\":{\"type\":{\"tuple\":[\"u8\",\"string\",{\"option\":\"bool\"}]}},\"respon")
            append("se\":{\"type\":{\"tuple\":[\"u8\",\"string\",{\"option\":\"bool\"}]}}}],\"na")
            append("me\":\"tuple\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"e")
            append("rror\":null,\"index\":209,\"items\":null,\"kind\":\"unary\",\"parameter\":\"")
            append("request\",\"receiver\":\"\",\"request\":{\"type\":\"duration\"},\"response\"")
            append(":{\"type\":\"duration\"}}],\"name\":\"duration\"},{\"entries\":[{\"arguments")
            append("\":false,\"encoding\":\"wire\",\"error\":null,\"index\":216,\"items\":null,")
            append("\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{")
            append("\"type\":\"timestamp\"},\"response\":{\"type\":\"timestamp\"}}],\"name\":\"t")
            append("imestamp\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error")
            append("\":null,\"index\":223,\"items\":null,\"kind\":\"unary\",\"parameter\":\"requ")
            append("est\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"ty")
            append("pe\":\"u64\"}}],\"name\":\"length\"},{\"entries\":[{\"arguments\":false,\"en")
            append("coding\":\"wire\",\"error\":null,\"index\":230,\"items\":null,\"kind\":\"una")
            append("ry\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"re")
            append("f\":11}},\"response\":{\"type\":{\"option\":{\"ref\":5}}}}],\"name\":\"oldes")
            append("t\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null")
            append(",\"index\":237,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",")
            append("\"receiver\":\"\",\"request\":{\"type\":{\"ref\":13}},\"response\":{\"type\"")
            append(":\"f64\"}}],\"name\":\"area\"},{\"entries\":[{\"arguments\":true,\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":244,\"items\":null,\"kind\":\"unary\",")
            append("\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":27}},\"r")
            append("esponse\":{\"type\":\"string\"}}],\"name\":\"part\"},{\"entries\":[{\"argume")
            append("nts\":true,\"encoding\":\"wire\",\"error\":null,\"index\":251,\"items\":null")
            append(",\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type")
            append("\":{\"ref\":28}},\"response\":{\"type\":{\"tuple\":[{\"ref\":5},{\"list\":\"")
            append("string\"},{\"list\":\"f64\"},{\"ref\":8},\"bytes\",{\"option\":\"any\"}]}}}]")
            append(",\"name\":\"several\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire")
            append("\",\"error\":null,\"index\":258,\"items\":null,\"kind\":\"unary\",\"paramete")
            append("r\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":29}},\"response\":")
            append("{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut\"},{\"entri")
            append("es\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":265")
            append(",\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"re")
            append("quest\":{\"type\":{\"ref\":32}},\"response\":{\"type\":{\"tuple\":[{\"ref\":")
            append("31},\"bytes\"]}}}],\"name\":\"cut_later\"},{\"entries\":[{\"arguments\":fals")
            append("e,\"encoding\":\"raw\",\"error\":null,\"index\":267,\"items\":null,\"kind\":")
            append("\"unary\",\"parameter\":\"data\",\"receiver\":\"\",\"request\":{\"type\":\"b")
            append("ytes\"},\"response\":{\"type\":\"string\"}}],\"name\":\"hex\"},{\"entries\":")
            append("[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":274,\"it")
            append("ems\":null,\"kind\":\"unary\",\"parameter\":\"data\",\"receiver\":\"\",\"req")
            append("uest\":{\"type\":\"bytes\"},\"response\":{\"type\":\"string\"}}],\"name\":\"")
            append("hex_later\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error")
            append("\":null,\"index\":281,\"items\":null,\"kind\":\"unary\",\"parameter\":\"digi")
            append("ts\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"typ")
            append("e\":\"bytes\"}}],\"name\":\"unhex\"},{\"entries\":[{\"arguments\":false,\"en")
            append("coding\":\"wire\",\"error\":null,\"index\":293,\"items\":null,\"kind\":\"una")
            append("ry\",\"parameter\":\"data\",\"receiver\":\"\",\"request\":{\"type\":\"bytes")
            append("\"},\"response\":{\"type\":\"u64\"}}],\"name\":\"nonzero\"},{\"entries\":[{")
            append("\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":295,\"item")
            append("s\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\"")
            append(":{\"type\":\"unit\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"magic\"}")
            append(",{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"in")
            append("dex\":307,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":")
            append("\"\",\"request\":{\"type\":{\"ref\":33}},\"response\":{\"type\":{\"ref\":5}}")
            append("}],\"name\":\"aged\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire")
            append("\",\"error\":null,\"index\":314,\"items\":null,\"kind\":\"server_stream\",\"")
            append("parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":34}},\"res")
            append("ponse\":{\"type\":\"i64\"}}],\"name\":\"steps\"},{\"entries\":[{\"arguments")
            append("\":false,\"encoding\":\"wire\",\"error\":null,\"index\":321,\"items\":null,")
            append("\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{")
            append("\"type\":{\"ref\":5}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"later")
            append("\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":{\"typ")
            append("e\":{\"ref\":36}},\"index\":328,\"items\":null,\"kind\":\"unary\",\"paramete")
            append("r\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":35}},\"response\":")
            append("{\"type\":{\"ref\":5}}}],\"name\":\"search\"},{\"entries\":[{\"arguments\":t")
            append("rue,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":36}},\"index\":335,\"")
            append("items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"reque")
            append("st\":{\"type\":{\"ref\":37}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":")
            append("\"search_later\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"")
            append("error\":{\"type\":{\"ref\":39}},\"index\":342,\"items\":null,\"kind\":\"unar")
            append("y\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":38}}")
            append(",\"response\":{\"type\":{\"ref\":8}}}],\"name\":\"paint\"},{\"entries\":[{\"")
            append("arguments\":false,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":40}},\"")
            append("index\":349,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"re")
            append("ceiver\":\"\",\"request\":{\"type\":\"bool\"},\"response\":{\"type\":\"unit")
            append("\"}}],\"name\":\"power\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"")
            append("wire\",\"error\":null,\"index\":356,\"items\":null,\"kind\":\"server_stream")
            append("\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref")
            append("\":41}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"repeat\"},{\"entrie")
            append("s\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":363")
            append(",\"items\":{\"type\":{\"ref\":5}},\"kind\":\"client_stream\",\"parameter\":")
            append("\"before\",\"receiver\":\"\",\"request\":{\"type\":\"u64\"},\"response\":{\"")
            append("type\":{\"ref\":11}}}],\"name\":\"collect\"},{\"entries\":[{\"arguments\":tr")
            append("ue,\"encoding\":\"wire\",\"error\":null,\"index\":370,\"items\":{\"type\":{")
            append("\"ref\":5}},\"kind\":\"client_stream\",\"parameter\":\"\",\"receiver\":\"\",")
            append("\"request\":{\"type\":{\"ref\":42}},\"response\":{\"type\":{\"list\":{\"ref")
            append("\":5}}}}],\"name\":\"between\"},{\"entries\":[{\"arguments\":false,\"encodin")
            append("g\":\"wire\",\"error\":null,\"index\":377,\"items\":{\"type\":{\"ref\":13}},")
            append("\"kind\":\"bidi_stream\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{")
            append("\"type\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"reshape")
            append("\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,")
            append("\"index\":384,\"items\":null,\"kind\":\"unary\",\"parameter\":\"start\",\"re")
            append("ceiver\":\"\",\"request\":{\"type\":\"i64\"},\"response\":{\"type\":{\"objec")
            append("t\":\"Counter\"}}}],\"name\":\"counter\"},{\"entries\":[{\"arguments\":false")
            append(",\"encoding\":\"wire\",\"error\":null,\"index\":391,\"items\":null,\"kind\":")
            append("\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":")
            append("{\"list\":\"i64\"}},\"response\":{\"type\":{\"ref\":43}}}],\"name\":\"counte")
            append("rs\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null")
            append(",\"index\":398,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiv")
            append("er\":\"\",\"request\":{\"type\":{\"ref\":44}},\"response\":{\"type\":{\"tupl")
            append("e\":[\"i64\",\"i64\"]}}}],\"name\":\"transfer\"},{\"entries\":[{\"arguments")
            append("\":false,\"encoding\":\"wire\",\"error\":null,\"index\":405,\"items\":null,")
            append("\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{")
            append("\"type\":{\"ref\":43}},\"response\":{\"type\":\"i64\"}}],\"name\":\"total\"}")
            append(",{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i")
            append("ndex\":412,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"rec")
            append("eiver\":\"\",\"request\":{\"type\":{\"ref\":45}},\"response\":{\"type\":\"by")
            append("tes\"}}],\"name\":\"random\"},{\"entries\":[{\"arguments\":false,\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":419,\"items\":null,\"kind\":\"unary\",")
            append("\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"respo")
            append("nse\":{\"type\":{\"list\":\"string\"}}}],\"name\":\"echoes\"},{\"entries\":[")
            append("{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":426,\"ite")
            append("ms\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request")
            append("\":{\"type\":{\"ref\":46}},\"response\":{\"type\":{\"option\":\"string\"}}}]")
            append(",\"name\":\"as_json\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire")
            append("\",\"error\":null,\"index\":433,\"items\":null,\"kind\":\"unary\",\"paramete")
            append("r\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":47}},\"response\":")
            append("{\"type\":\"bytes\"}}],\"name\":\"as_message\"},{\"entries\":[{\"arguments\"")
            append(":false,\"encoding\":\"wire\",\"error\":null,\"index\":440,\"items\":null,\"k")
            append("ind\":\"unary\",\"parameter\":\"name\",\"receiver\":\"\",\"request\":{\"type")
            append("\":\"string\"},\"response\":{\"type\":{\"option\":{\"ref\":5}}}}],\"name\":")
            append("\"ask\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":447,\"items\":null,\"kind\":\"unary\",\"parameter\":\"name\",")
            append("\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"type\":{")
            append("\"ref\":5}}}],\"name\":\"ask_later\"},{\"entries\":[{\"arguments\":false,\"e")
            append("ncoding\":\"wire\",\"error\":null,\"index\":454,\"items\":null,\"kind\":\"un")
            append("ary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},")
            append("\"response\":{\"type\":\"u64\"}}],\"name\":\"ask_count\"},{\"entries\":[{\"a")
            append("rguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":461,\"items")
            append("\":null,\"kind\":\"unary\",\"parameter\":\"people\",\"receiver\":\"\",\"requ")
            append("est\":{\"type\":{\"list\":{\"ref\":5}}},\"response\":{\"type\":{\"map\":[\"s")
            append("tring\",\"u32\"]}}}],\"name\":\"ask_ages\"},{\"entries\":[{\"arguments\":fal")
            append("se,\"encoding\":\"wire\",\"error\":null,\"index\":468,\"items\":null,\"kind")
            append("\":\"unary\",\"parameter\":\"more\",\"receiver\":\"Counter\",\"request\":{\"")
            append("type\":\"i64\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.add\"},")
            append("{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"in")
            append("dex\":475,\"items\":null,\"kind\":\"unary\",\"parameter\":\"more\",\"receive")
            append("r\":\"Counter\",\"request\":{\"type\":\"i64\"},\"response\":{\"type\":\"i64")
            append("\"}}],\"name\":\"Counter.add_later\"},{\"entries\":[{\"arguments\":false,\"e")
            append("ncoding\":\"wire\",\"error\":{\"type\":{\"ref\":48}},\"index\":482,\"items\"")
            append(":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"reque")
            append("st\":{\"type\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counte")
            append("r.half\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":489,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"re")
            append("ceiver\":\"Counter\",\"request\":{\"type\":{\"ref\":49}},\"response\":{\"typ")
            append("e\":\"bool\"}}],\"name\":\"Counter.within\"},{\"entries\":[{\"arguments\":fa")
            append("lse,\"encoding\":\"wire\",\"error\":null,\"index\":496,\"items\":null,\"kind")
            append("\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"request\":{\"type")
            append("\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.get\"},{\"")
            append("entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":503,\"items\":null,\"kind\":\"unary\",\"parameter\":\"other\",\"receiver")
            append("\":\"Counter\",\"request\":{\"type\":{\"object\":\"Counter\"}},\"response\":")
            append("{\"type\":\"i64\"}}],\"name\":\"Counter.absorb\"},{\"entries\":[{\"arguments")
            append("\":false,\"encoding\":\"wire\",\"error\":null,\"index\":510,\"items\":null,")
            append("\"kind\":\"server_stream\",\"parameter\":\"end\",\"receiver\":\"Counter\",\"")
            append("request\":{\"type\":\"i64\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Co")
            append("unter.upto\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"err")
            append("or\":null,\"index\":517,\"items\":{\"type\":{\"ref\":5}},\"kind\":\"client_s")
            append("tream\",\"parameter\":\"\",\"receiver\":\"Counter\",\"request\":{\"type\":\"")
            append("unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.admit\"}],\"nam")
            append("e\":\"types\",\"services\":[{\"encoding\":\"wire\",\"name\":\"directory.find")
            append("\",\"optional\":true,\"request\":{\"type\":\"string\"},\"response\":{\"type")
            append("\":{\"option\":{\"ref\":5}}}},{\"encoding\":\"wire\",\"name\":\"directory.fe")
            append("tch\",\"optional\":true,\"request\":{\"type\":\"string\"},\"response\":{\"ty")
            append("pe\":{\"ref\":5}}},{\"encoding\":\"wire\",\"name\":\"directory.count\",\"opt")
            append("ional\":true,\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"u64\"}")
            append("},{\"encoding\":\"wire\",\"name\":\"ages.of\",\"optional\":true,\"request\":")
            append("{\"type\":{\"list\":{\"ref\":5}}},\"response\":{\"type\":{\"map\":[\"string")
            append("\",\"u32\"]}}}],\"types\":[{\"name\":\"Every\",\"record\":[{\"name\":\"numbe")
            append("rs\",\"type\":{\"ref\":1}},{\"name\":\"texts\",\"type\":{\"ref\":2}},{\"name")
            append("\":\"times\",\"type\":{\"ref\":3}},{\"name\":\"lists\",\"type\":{\"ref\":4}}")
            append(",{\"name\":\"pairs\",\"type\":{\"ref\":7}},{\"name\":\"foreign\",\"type\":{")
            append("\"ref\":9}},{\"name\":\"people\",\"type\":{\"ref\":11}},{\"name\":\"words\",")
            append("\"type\":{\"ref\":12}},{\"name\":\"color\",\"type\":{\"ref\":8}},{\"name\":")
            append("\"shape\",\"type\":{\"ref\":13}},{\"name\":\"tagged\",\"type\":{\"ref\":14}}")
            append(",{\"name\":\"untagged\",\"type\":{\"ref\":15}},{\"name\":\"expr\",\"type\":{")
            append("\"ref\":16}},{\"name\":\"tree\",\"type\":{\"ref\":17}},{\"name\":\"samples\"")
            append(",\"type\":{\"ref\":18}},{\"name\":\"celsius\",\"type\":{\"ref\":20}},{\"name")
            append("\":\"unit\",\"type\":{\"ref\":21}},{\"name\":\"defaults\",\"type\":{\"ref\":")
            append("22}},{\"name\":\"renamed\",\"type\":{\"ref\":23}},{\"name\":\"any\",\"type\"")
            append(":\"any\"},{\"name\":\"tuple\",\"type\":{\"tuple\":[\"u8\",\"string\",{\"opti")
            append("on\":\"bool\"}]}}]},{\"name\":\"Numbers\",\"record\":[{\"name\":\"u8\",\"typ")
            append("e\":\"u8\"},{\"name\":\"u16\",\"type\":\"u16\"},{\"name\":\"u32\",\"type\":")
            append("\"u32\"},{\"name\":\"u64\",\"type\":\"u64\"},{\"name\":\"u128\",\"type\":\"u")
            append("128\"},{\"name\":\"i8\",\"type\":\"i8\"},{\"name\":\"i16\",\"type\":\"i16\"}")
            append(",{\"name\":\"i32\",\"type\":\"i32\"},{\"name\":\"i64\",\"type\":\"i64\"},{\"")
            append("name\":\"i128\",\"type\":\"i128\"},{\"name\":\"f32\",\"type\":\"f32\"},{\"na")
            append("me\":\"f64\",\"type\":\"f64\"},{\"name\":\"bool\",\"type\":\"bool\"},{\"name")
            append("\":\"char\",\"type\":\"char\"},{\"name\":\"size\",\"type\":\"u64\"},{\"name")
            append("\":\"unit\",\"type\":\"unit\"}]},{\"name\":\"Texts\",\"record\":[{\"name\":")
            append("\"text\",\"type\":\"string\"},{\"name\":\"boxed\",\"type\":\"string\"},{\"na")
            append("me\":\"maybe_bytes\",\"type\":{\"option\":\"bytes\"}},{\"name\":\"bytes\",\"")
            append("type\":\"bytes\"},{\"name\":\"maybe\",\"type\":{\"option\":\"string\"}}]},{")
            append("\"name\":\"Times\",\"record\":[{\"name\":\"at\",\"type\":\"timestamp\"},{\"n")
            append("ame\":\"lasts\",\"type\":\"duration\"},{\"name\":\"ends\",\"type\":{\"option")
            append("\":\"timestamp\"}}]},{\"name\":\"Lists\",\"record\":[{\"name\":\"bytes\",\"t")
            append("ype\":\"bytes\"},{\"name\":\"small\",\"type\":{\"list\":\"i8\"}},{\"name\":")
            append("\"numbers\",\"type\":{\"list\":\"u32\"}},{\"name\":\"doubles\",\"type\":{\"l")
            append("ist\":\"f64\"}},{\"name\":\"large\",\"type\":{\"list\":\"i128\"}},{\"name\":")
            append("\"bools\",\"type\":{\"list\":\"bool\"}},{\"name\":\"texts\",\"type\":{\"list")
            append("\":\"string\"}},{\"name\":\"nested\",\"type\":{\"list\":{\"list\":\"u16\"}}}")
            append(",{\"name\":\"fixed\",\"type\":{\"array\":[\"u32\",3]}},{\"name\":\"matrix\",")
            append("\"type\":{\"array\":[{\"array\":[\"f64\",2]},2]}},{\"name\":\"names\",\"type")
            append("\":{\"array\":[\"string\",2]}},{\"name\":\"set\",\"type\":{\"list\":\"u32\"}")
            append("},{\"name\":\"people\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"points\"")
            append(",\"type\":{\"list\":{\"ref\":6}}},{\"name\":\"sizes\",\"type\":{\"list\":\"u")
            append("64\"}},{\"name\":\"boxes\",\"type\":{\"list\":\"f32\"}},{\"name\":\"chars\",")
            append("\"type\":{\"list\":\"char\"}},{\"name\":\"options\",\"type\":{\"list\":{\"op")
            append("tion\":\"u8\"}}},{\"name\":\"tuples\",\"type\":{\"list\":{\"tuple\":[\"u8\",")
            append("\"u32\"]}}}]},{\"name\":\"Person\",\"record\":[{\"name\":\"name\",\"type\":")
            append("\"string\"},{\"name\":\"age\",\"type\":\"u32\"},{\"name\":\"email\",\"type\"")
            append(":{\"option\":\"string\"}}]},{\"name\":\"Point\",\"pod\":[{\"name\":\"x\",\"t")
            append("ype\":\"f64\"},{\"name\":\"y\",\"type\":\"f64\"}]},{\"name\":\"Pairs\",\"rec")
            append("ord\":[{\"name\":\"by_name\",\"type\":{\"map\":[\"string\",\"u32\"]}},{\"nam")
            append("e\":\"by_number\",\"type\":{\"map\":[\"i64\",\"string\"]}},{\"name\":\"by_ch")
            append("ar\",\"type\":{\"map\":[\"char\",\"bytes\"]}},{\"name\":\"by_color\",\"type")
            append("\":{\"map\":[{\"ref\":8},{\"ref\":5}]}},{\"name\":\"hashed\",\"type\":{\"map")
            append("\":[\"u16\",{\"option\":\"f32\"}]}},{\"name\":\"nested\",\"type\":{\"map\":[")
            append("\"string\",{\"map\":[\"u8\",\"bool\"]}]}}]},{\"enum\":{\"variants\":[{\"name")
            append("\":\"red\"},{\"name\":\"green\"},{\"name\":\"dark_blue\"}]},\"name\":\"Color")
            append("\"},{\"name\":\"Foreign\",\"record\":[{\"name\":\"id\",\"type\":\"uuid\"},{")
            append("\"name\":\"parent\",\"type\":{\"option\":\"uuid\"}},{\"name\":\"names\",\"ty")
            append("pe\":{\"map\":[\"uuid\",\"string\"]}},{\"name\":\"made\",\"type\":\"timestam")
            append("p\"},{\"name\":\"took\",\"type\":\"duration\"},{\"name\":\"seen\",\"type\":")
            append("\"timestamp\"},{\"name\":\"waits\",\"type\":{\"list\":\"duration\"}},{\"name")
            append("\":\"ends\",\"type\":{\"option\":\"timestamp\"}},{\"name\":\"lasts\",\"type")
            append("\":\"duration\"},{\"name\":\"at\",\"type\":{\"ref\":10}},{\"name\":\"others")
            append("\",\"type\":{\"map\":[\"string\",{\"list\":{\"ref\":10}}]}}]},{\"name\":\"En")
            append("dpoint\",\"record\":[{\"name\":\"address\",\"type\":\"string\"},{\"name\":\"")
            append("port\",\"type\":\"u16\"}]},{\"name\":\"PagePerson\",\"record\":[{\"name\":\"")
            append("items\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"total\",\"type\":\"u64")
            append("\"}]},{\"name\":\"PageString\",\"record\":[{\"name\":\"items\",\"type\":{\"l")
            append("ist\":\"string\"}},{\"name\":\"total\",\"type\":\"u64\"}]},{\"enum\":{\"vari")
            append("ants\":[{\"name\":\"Nothing\"},{\"fields\":[{\"name\":\"radius\",\"type\":\"")
            append("f64\"}],\"name\":\"Circle\"},{\"name\":\"Polygon\",\"tuple\":[{\"list\":{\"r")
            append("ef\":6}}]}]},\"name\":\"Shape\"},{\"enum\":{\"tag\":{\"inside\":\"kind\"},\"")
            append("variants\":[{\"fields\":[{\"name\":\"atSecond\",\"type\":\"u64\"}],\"name\":")
            append("\"started\"},{\"fields\":[{\"name\":\"toPlace\",\"type\":{\"ref\":6}},{\"nam")
            append("e\":\"howFast\",\"type\":{\"option\":\"f32\"}}],\"name\":\"moved\"},{\"name")
            append("\":\"stopped\"}]},\"name\":\"Tagged\"},{\"enum\":{\"tag\":\"none\",\"variant")
            append("s\":[{\"name\":\"Number\",\"tuple\":[\"i64\"]},{\"name\":\"Text\",\"tuple\":")
            append("[\"string\"]},{\"name\":\"Both\",\"tuple\":[\"i64\",\"string\"]}]},\"name\":")
            append("\"Untagged\"},{\"enum\":{\"variants\":[{\"name\":\"Number\",\"tuple\":[\"f64")
            append("\"]},{\"name\":\"Negated\",\"tuple\":[{\"ref\":16}]},{\"name\":\"Sum\",\"tup")
            append("le\":[{\"ref\":16},{\"ref\":16}]},{\"fields\":[{\"name\":\"name\",\"type\":")
            append("\"string\"},{\"name\":\"arguments\",\"type\":{\"list\":{\"ref\":16}}}],\"nam")
            append("e\":\"Call\"}]},\"name\":\"Expr\"},{\"name\":\"Tree\",\"record\":[{\"name\":")
            append("\"name\",\"type\":\"string\"},{\"name\":\"children\",\"type\":{\"list\":{\"r")
            append("ef\":17}}}]},{\"name\":\"Samples\",\"record\":[{\"name\":\"name\",\"type\":")
            append("\"string\"},{\"name\":\"first\",\"type\":{\"ref\":19}},{\"name\":\"all\",\"t")
            append("ype\":{\"list\":{\"ref\":19}}},{\"name\":\"pair\",\"type\":{\"array\":[{\"re")
            append("f\":6},2]}}]},{\"name\":\"Sample\",\"pod\":[{\"name\":\"time\",\"type\":\"u6")
            append("4\"},{\"name\":\"value\",\"type\":\"f32\"},{\"name\":\"channel\",\"type\":\"")
            append("u16\"},{\"name\":\"flags\",\"type\":{\"array\":[\"u8\",2]}}]},{\"name\":\"Ce")
            append("lsius\",\"newtype\":\"f64\"},{\"name\":\"Unit\",\"newtype\":\"unit\"},{\"nam")
            append("e\":\"Defaults\",\"record\":[{\"default\":true,\"name\":\"count\",\"type\":")
            append("\"u32\"},{\"default\":true,\"name\":\"name\",\"type\":\"string\"},{\"default")
            append("\":true,\"name\":\"list\",\"type\":\"bytes\"},{\"default\":true,\"name\":\"m")
            append("aybe\",\"type\":{\"option\":\"u64\"}}]},{\"name\":\"RenamedRecord\",\"record")
            append("\":[{\"name\":\"firstName\",\"type\":\"string\"},{\"name\":\"type\",\"type\"")
            append(":{\"ref\":8}},{\"name\":\"class\",\"type\":\"u8\"},{\"flatten\":true,\"name")
            append("\":\"person\",\"type\":{\"ref\":5}}]},{\"enum\":{\"open\":true,\"variants\":")
            append("[{\"name\":\"Calm\"},{\"name\":\"Glad\"}]},\"name\":\"Mood\"},{\"enum\":{\"o")
            append("pen\":true,\"variants\":[{\"name\":\"Came\"},{\"fields\":[{\"name\":\"others")
            append("\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"mood\",\"type\":{\"ref\":24}")
            append("}],\"name\":\"Met\"},{\"name\":\"Said\",\"tuple\":[\"string\"]}]},\"name\":")
            append("\"Event\"},{\"name\":\"Bounded\",\"record\":[{\"name\":\"share\",\"type\":\"")
            append("u8\"},{\"name\":\"all\",\"type\":\"bytes\"}]},{\"name\":\"PartParameters\",")
            append("\"record\":[{\"name\":\"text\",\"type\":\"string\"},{\"name\":\"start\",\"ty")
            append("pe\":\"u32\"},{\"name\":\"count\",\"type\":{\"option\":\"u32\"}}]},{\"name\"")
            append(":\"SeveralParameters\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}")
            append("},{\"name\":\"nick_names\",\"type\":{\"list\":\"string\"}},{\"name\":\"numbe")
            append("rs\",\"type\":{\"list\":\"f64\"}},{\"name\":\"type\",\"type\":{\"ref\":8}},{")
            append("\"name\":\"class\",\"type\":\"bytes\"},{\"name\":\"self_\",\"type\":{\"optio")
            append("n\":\"any\"}}]},{\"name\":\"CutParameters\",\"record\":[{\"name\":\"how\",\"")
            append("type\":{\"ref\":30}},{\"name\":\"data\",\"type\":\"bytes\"}]},{\"name\":\"Cu")
            append("t\",\"record\":[{\"name\":\"skip\",\"type\":\"u32\"},{\"name\":\"times\",\"t")
            append("ype\":\"u32\"}]},{\"name\":\"Piece\",\"record\":[{\"name\":\"length\",\"type")
            append("\":\"u64\"},{\"name\":\"first\",\"type\":{\"option\":\"u8\"}}]},{\"name\":\"")
            append("CutLaterParameters\",\"record\":[{\"name\":\"how\",\"type\":{\"ref\":30}},{")
            append("\"name\":\"data\",\"type\":\"bytes\"}]},{\"name\":\"AgedParameters\",\"recor")
            append("d\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"years\",\"type\"")
            append(":\"u32\"}]},{\"name\":\"StepsParameters\",\"record\":[{\"name\":\"first\",\"")
            append("type\":\"i64\"},{\"name\":\"last\",\"type\":\"i64\"},{\"name\":\"step\",\"ty")
            append("pe\":\"u32\"}]},{\"name\":\"SearchParameters\",\"record\":[{\"name\":\"name")
            append("\",\"type\":\"string\"},{\"name\":\"people\",\"type\":{\"list\":{\"ref\":5}}")
            append("}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name\":\"name\",\"type\":\"stri")
            append("ng\"},{\"name\":\"similar\",\"type\":{\"list\":{\"ref\":5}}}],\"name\":\"Nob")
            append("ody\"},{\"name\":\"Hidden\"},{\"name\":\"Crowd\",\"tuple\":[\"u64\",{\"list")
            append("\":\"f64\"}]}]},\"name\":\"SearchError\"},{\"name\":\"SearchLaterParameters")
            append("\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"people\",")
            append("\"type\":{\"list\":{\"ref\":5}}}]},{\"name\":\"PaintParameters\",\"record\":")
            append("[{\"name\":\"color\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":{\"")
            append("option\":{\"ref\":8}}}]},{\"name\":\"Refused\",\"record\":[{\"name\":\"color")
            append("\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":{\"option\":{\"ref\":")
            append("8}}}]},{\"enum\":{\"variants\":[{\"name\":\"Out\"}]},\"name\":\"PowerError\"")
            append("},{\"name\":\"Repeat\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}")
            append("},{\"name\":\"times\",\"type\":\"u32\"}]},{\"name\":\"BetweenParameters\",\"")
            append("record\":[{\"name\":\"youngest\",\"type\":\"u32\"},{\"name\":\"oldest\",\"ty")
            append("pe\":\"u32\"}]},{\"name\":\"Counters\",\"record\":[{\"name\":\"first\",\"typ")
            append("e\":{\"option\":{\"object\":\"Counter\"}}},{\"name\":\"others\",\"type\":{\"")
            append("list\":{\"object\":\"Counter\"}}},{\"name\":\"name\",\"type\":\"string\"}]},")
            append("{\"name\":\"TransferParameters\",\"record\":[{\"name\":\"from\",\"type\":{\"")
            append("object\":\"Counter\"}},{\"name\":\"to\",\"type\":{\"object\":\"Counter\"}},{")
            append("\"name\":\"count\",\"type\":\"i64\"}]},{\"name\":\"Random\",\"record\":[{\"n")
            append("ame\":\"method\",\"type\":\"string\"},{\"name\":\"seed\",\"type\":\"u64\"}]}")
            append(",{\"name\":\"AsJsonParameters\",\"record\":[{\"name\":\"method\",\"type\":\"")
            append("string\"},{\"name\":\"message\",\"type\":\"bytes\"}]},{\"name\":\"AsMessageP")
            append("arameters\",\"record\":[{\"name\":\"method\",\"type\":\"string\"},{\"name\":")
            append("\"json\",\"type\":\"string\"}]},{\"name\":\"Odd\",\"record\":[{\"name\":\"co")
            append("unt\",\"type\":\"i64\"}]},{\"name\":\"CounterWithinParameters\",\"record\":[")
            append("{\"name\":\"least\",\"type\":\"i64\"},{\"name\":\"most\",\"type\":\"i64\"}]}")
            append("],\"version\":\"0.1.0\"}")
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

// Written by `rustbridge gen -l kotlin` of the plugin `bench`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.benchmarks.kotlin.clients

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Plugin
import io.github.rustbridge.TypedClient
import io.github.rustbridge.TypedMethod
import io.github.rustbridge.kotlin.PluginOptions
import io.github.rustbridge.kotlin.await
import io.github.rustbridge.kotlin.callWith
import io.github.rustbridge.kotlin.pluginConfig
import java.nio.file.Path

/**
 * Methods that are there to be measured.
 *
 * Not here, since they have no types, or streams of objects: `count`, `ticks`, `callback`.
 */
public class Bench private constructor(plugin: Plugin, owned: Boolean) :
    TypedClient(plugin, owned) {
    private val void: TypedMethod<Unit, Unit> =
        method("void", "5daf951a6eb331f36b3eaa130b47e405", CONTRACT, { _, _ -> }, {})
    private val div: TypedMethod<Division, Quotient> =
        method(
            "div",
            "3b827e20b7cc0b275e81da2370021ee9",
            CONTRACT,
            BenchCodec::writeDivision,
            BenchCodec::readQuotient,
        )
    private val getAnswer: TypedMethod<Value, Value> =
        method(
            "get_answer",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val join: TypedMethod<Parts, Joined> =
        method(
            "join",
            "cc8f24167851a1fe1bc7a2feb0424ff5",
            CONTRACT,
            BenchCodec::writeParts,
            BenchCodec::readJoined,
        )
    private val any: TypedMethod<Values_, Values_> =
        method(
            "any",
            "73dbbb6b5050606ae695478dbc36dc62",
            CONTRACT,
            BenchCodec::writeValues_,
            BenchCodec::readValues_,
        )
    private val divide: TypedMethod<DivideParameters, Double> =
        method(
            "divide",
            "2cc7b1d070e905f6b0b647a5e592ccc6",
            CONTRACT,
            BenchCodec::writeDivideParameters,
            { input -> input.f64() },
        )
    private val answerTo: TypedMethod<Int, Int> =
        method(
            "answer_to",
            "e1c392b728732e03f914106ed09a4f70",
            CONTRACT,
            { output, value -> output.i32(value) },
            { input -> input.i32() },
        )
    private val joinTexts: TypedMethod<List<String>, String> =
        method(
            "join_texts",
            "3e4245726c7d197143133c7b89dc48b6",
            CONTRACT,
            { output, value -> BenchCodec.writeListOfString(output, value, "request") },
            { input -> input.string() },
        )
    private val addUp: TypedMethod<LongArray, Long> =
        method(
            "add_up",
            "bc1781f8cfcb8ee1d446185cffdf997c",
            CONTRACT,
            { output, value -> output.i64s(value) },
            { input -> input.i64() },
        )
    private val greet: TypedMethod<Person, Greeting> =
        method(
            "greet",
            "aa02cc6e002855b5f822eb6fbdc8214a",
            CONTRACT,
            BenchCodec::writePerson,
            BenchCodec::readGreeting,
        )
    private val nextReading: TypedMethod<Reading, Reading> =
        method(
            "next_reading",
            "edba43a9b2ee052fb82422657014a174",
            CONTRACT,
            BenchCodec::writeReading,
            BenchCodec::readReading,
        )
    private val discount: TypedMethod<List<Item>, List<Item>> =
        method(
            "discount",
            "9778e4774dd23969ea7c1ef2c2c0c11a",
            CONTRACT,
            BenchCodec::writeListOfItem,
            BenchCodec::readListOfItem,
        )
    private val around: TypedMethod<Shape, Shape> =
        method(
            "around",
            "d59e7b46bacc4ea8f7419b3ab054552d",
            CONTRACT,
            BenchCodec::writeShape,
            BenchCodec::readShape,
        )
    private val twice: TypedMethod<DoubleArray, DoubleArray> =
        method(
            "twice",
            "d44b8782b9348016131b260d1783fb49",
            CONTRACT,
            { output, value -> output.f64s(value) },
            { input -> input.f64s() },
        )
    private val sum: TypedMethod<ByteArray, ByteArray> =
        method(
            "sum",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            { output, value -> output.bytes(value, value.size, "request") },
            { input -> input.rest() },
        )
    private val numbers: TypedMethod<ByteArray, ByteArray> =
        method(
            "numbers",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            { output, value -> output.bytes(value, value.size, "request") },
            { input -> input.rest() },
        )
    private val echoBytes: TypedMethod<ByteArray, ByteArray> =
        method(
            "echo_bytes",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            { output, value -> output.bytes(value, value.size, "request") },
            { input -> input.rest() },
        )
    private val getBlob: TypedMethod<ByteArray, ByteArray> =
        method(
            "get_blob",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            { output, value -> output.bytes(value, value.size, "request") },
            { input -> input.rest() },
        )
    private val getStructs: TypedMethod<Unit, Students> =
        method(
            "get_structs",
            "88ae0f1203707c7d8bb6c9d73a817b6f",
            CONTRACT,
            { _, _ -> },
            BenchCodec::readStudents,
        )
    private val plain: TypedMethod<Value, Value> =
        method(
            "plain",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val ready: TypedMethod<Value, Value> =
        method(
            "ready",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val later: TypedMethod<Value, Value> =
        method(
            "later",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val never: TypedMethod<Unit, Unit> =
        method("never", "5daf951a6eb331f36b3eaa130b47e405", CONTRACT, { _, _ -> }, {})
    private val adder: TypedMethod<Unit, ByteArray> =
        method(
            "adder",
            "aaee54f20060ca765edf811e8ff746d2",
            CONTRACT,
            { _, _ -> },
            { input -> input.rest() },
        )
    private val someClass: TypedMethod<String, ByteArray> =
        method(
            "some_class",
            "dd541130f82a84c26844095adfda7f83",
            CONTRACT,
            { output, value -> output.rawString(value, "request") },
            { input -> input.rest() },
        )
    private val ask: TypedMethod<Value, Value> =
        method(
            "ask",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val askLater: TypedMethod<Value, Value> =
        method(
            "ask_later",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val askByHand: TypedMethod<Value, Value> =
        method(
            "ask_by_hand",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    private val askByHandLater: TypedMethod<Value, Value> =
        method(
            "ask_by_hand_later",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    internal val adder__add: TypedMethod<Value, Value> =
        objectMethod(
            "Adder.add",
            "1a15ed3551d301e402e8f59eb5332bdd",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue,
        )
    internal val someClass__greet: TypedMethod<Unit, String> =
        objectMethod(
            "SomeClass.greet",
            "5e485a7203436d952f7fc6700ce6522d",
            CONTRACT,
            { _, _ -> },
            { input -> input.restString() },
        )

    /**
     * Does nothing.
     *
     * @param options what the call carries besides
     */
    public fun void(options: CallOptions = CallOptions.defaults()): Unit =
        this.void.callWith(Unit, options)

    /**
     * Divides two integers; the quotient is a double.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun div(request: Division, options: CallOptions = CallOptions.defaults()): Quotient =
        this.div.callWith(request, options)

    /**
     * Adds 41: the answer to 23 is 64.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun getAnswer(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.getAnswer.callWith(request, options)

    /**
     * Joins texts by commas.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun join(request: Parts, options: CallOptions = CallOptions.defaults()): Joined =
        this.join.callWith(request, options)

    /**
     * Answers with what it was sent, values of any types.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun any(request: Values_, options: CallOptions = CallOptions.defaults()): Values_ =
        this.any.callWith(request, options)

    /**
     * Divides, as generated clients call it: by the language's own types.
     *
     * @param a `a`
     * @param b `b`
     * @param options what the call carries besides
     * @return the response
     */
    public fun divide(a: Long, b: Long, options: CallOptions = CallOptions.defaults()): Double =
        this.divide.callWith(DivideParameters(a, b), options)

    /**
     * The same answer as `get_answer`, from a number to a number.
     *
     * @param question the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun answerTo(question: Int, options: CallOptions = CallOptions.defaults()): Int =
        this.answerTo.callWith(question, options)

    /**
     * Joins texts by commas, from a list to a text.
     *
     * @param parts the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun joinTexts(
        parts: List<String>,
        options: CallOptions = CallOptions.defaults(),
    ): String = this.joinTexts.callWith(parts, options)

    /**
     * Adds numbers up, wrapping, from a list to a number.
     *
     * @param numbers the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun addUp(numbers: LongArray, options: CallOptions = CallOptions.defaults()): Long =
        this.addUp.callWith(numbers, options)

    /**
     * Greets somebody: a text in a record, there and back.
     *
     * @param person the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun greet(person: Person, options: CallOptions = CallOptions.defaults()): Greeting =
        this.greet.callWith(person, options)

    /**
     * Gives the reading that would follow: a record of numbers, there and back.
     *
     * @param reading the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun nextReading(
        reading: Reading,
        options: CallOptions = CallOptions.defaults(),
    ): Reading = this.nextReading.callWith(reading, options)

    /**
     * Makes every second item half as dear: a list of records, there and back.
     *
     * @param items_ the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun discount(
        items_: List<Item>,
        options: CallOptions = CallOptions.defaults(),
    ): List<Item> = this.discount.callWith(items_, options)

    /**
     * Gives the shape around another: an enum with data, there and back.
     *
     * @param shape the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun around(shape: Shape, options: CallOptions = CallOptions.defaults()): Shape =
        this.around.callWith(shape, options)

    /**
     * Doubles numbers: a list of them, there and back.
     *
     * @param numbers the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun twice(
        numbers: DoubleArray,
        options: CallOptions = CallOptions.defaults(),
    ): DoubleArray = this.twice.callWith(numbers, options)

    /**
     * Adds packed little-endian `i64` up, wrapping; the answer is one of them.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun sum(request: ByteArray, options: CallOptions = CallOptions.defaults()): ByteArray =
        this.sum.callWith(request, options)

    /**
     * Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`,
     * from 1.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun numbers(
        request: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): ByteArray = this.numbers.callWith(request, options)

    /**
     * Answers with the bytes it was sent.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun echoBytes(
        request: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): ByteArray = this.echoBytes.callWith(request, options)

    /**
     * Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache
     * that all answers share.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun getBlob(
        request: ByteArray,
        options: CallOptions = CallOptions.defaults(),
    ): ByteArray = this.getBlob.callWith(request, options)

    /**
     * Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun getStructs(options: CallOptions = CallOptions.defaults()): Students =
        this.getStructs.callWith(Unit, options)

    /**
     * Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun plain(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.plain.callWith(request, options)

    /**
     * The same in an async handler that never waits.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun ready(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.ready.callWith(request, options)

    /**
     * The same in an async handler that never waits.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitReady(
        request: Value,
        options: CallOptions = CallOptions.defaults(),
    ): Value = this.ready.await(request, options)

    /**
     * The same after it has let others run once.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun later(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.later.callWith(request, options)

    /**
     * The same after it has let others run once.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitLater(
        request: Value,
        options: CallOptions = CallOptions.defaults(),
    ): Value = this.later.await(request, options)

    /**
     * Never ends by itself.
     *
     * @param options what the call carries besides
     */
    public fun never(options: CallOptions = CallOptions.defaults()): Unit =
        this.never.callWith(Unit, options)

    /**
     * Never ends by itself.
     *
     * @param options what the call carries besides
     */
    public suspend fun awaitNever(options: CallOptions = CallOptions.defaults()): Unit =
        this.never.await(Unit, options)

    /**
     * An object that adds 41.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun adder(options: CallOptions = CallOptions.defaults()): ByteArray =
        this.adder.callWith(Unit, options)

    /**
     * MetaFFI's object.
     *
     * @param name the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun someClass(name: String, options: CallOptions = CallOptions.defaults()): ByteArray =
        this.someClass.callWith(name, options)

    /**
     * Has its host answer, by the service `numbers.answer`.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun ask(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.ask.callWith(request, options)

    /**
     * The same by the service `numbers.answer_later`, awaited.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askLater(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.askLater.callWith(request, options)

    /**
     * The same by the service `numbers.answer_later`, awaited.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitAskLater(
        request: Value,
        options: CallOptions = CallOptions.defaults(),
    ): Value = this.askLater.await(request, options)

    /**
     * What `ask` does, by the bare address in the configuration.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askByHand(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.askByHand.callWith(request, options)

    /**
     * What `ask_later` does, by the bare address in the configuration.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun askByHandLater(
        request: Value,
        options: CallOptions = CallOptions.defaults(),
    ): Value = this.askByHandLater.callWith(request, options)

    /**
     * What `ask_later` does, by the bare address in the configuration.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitAskByHandLater(
        request: Value,
        options: CallOptions = CallOptions.defaults(),
    ): Value = this.askByHandLater.await(request, options)

    /** What makes clients. */
    public companion object {
        private val CONTRACT: String = buildString {
            append("{\"methods\":[{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"erro")
            append("r\":null,\"index\":1,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"")
            append("receiver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"uni")
            append("t\"}}],\"name\":\"void\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"")
            append("wire\",\"error\":null,\"index\":13,\"items\":null,\"kind\":\"unary\",\"param")
            append("eter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1}},\"re")
            append("sponse\":{\"type\":{\"ref\":2}}}],\"name\":\"div\"},{\"entries\":[{\"argumen")
            append("ts\":false,\"encoding\":\"wire\",\"error\":null,\"index\":20,\"items\":null,")
            append("\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{")
            append("\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"get_a")
            append("nswer\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":27,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request")
            append("\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":4}},\"response\":{\"type")
            append("\":{\"ref\":5}}}],\"name\":\"join\"},{\"entries\":[{\"arguments\":false,\"en")
            append("coding\":\"wire\",\"error\":null,\"index\":34,\"items\":null,\"kind\":\"unar")
            append("y\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref")
            append("\":6}},\"response\":{\"type\":{\"ref\":6}}}],\"name\":\"any\"},{\"entries\":")
            append("[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":41,\"ite")
            append("ms\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request")
            append("\":{\"type\":{\"ref\":7}},\"response\":{\"type\":\"f64\"}}],\"name\":\"divid")
            append("e\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null")
            append(",\"index\":48,\"items\":null,\"kind\":\"unary\",\"parameter\":\"question\",")
            append("\"receiver\":\"\",\"request\":{\"type\":\"i32\"},\"response\":{\"type\":\"i3")
            append("2\"}}],\"name\":\"answer_to\"},{\"entries\":[{\"arguments\":false,\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":55,\"items\":null,\"kind\":\"unary\",\"")
            append("parameter\":\"parts\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"st")
            append("ring\"}},\"response\":{\"type\":\"string\"}}],\"name\":\"join_texts\"},{\"en")
            append("tries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\"")
            append(":62,\"items\":null,\"kind\":\"unary\",\"parameter\":\"numbers\",\"receiver\"")
            append(":\"\",\"request\":{\"type\":{\"list\":\"i64\"}},\"response\":{\"type\":\"i64")
            append("\"}}],\"name\":\"add_up\"},{\"entries\":[{\"arguments\":false,\"encoding\":")
            append("\"wire\",\"error\":null,\"index\":69,\"items\":null,\"kind\":\"unary\",\"par")
            append("ameter\":\"person\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":8}},\"r")
            append("esponse\":{\"type\":{\"ref\":9}}}],\"name\":\"greet\"},{\"entries\":[{\"argu")
            append("ments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":76,\"items\":nu")
            append("ll,\"kind\":\"unary\",\"parameter\":\"reading\",\"receiver\":\"\",\"request")
            append("\":{\"type\":{\"ref\":10}},\"response\":{\"type\":{\"ref\":10}}}],\"name\":")
            append("\"next_reading\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",")
            append("\"error\":null,\"index\":83,\"items\":null,\"kind\":\"unary\",\"parameter\":")
            append("\"items\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":11}}},")
            append("\"response\":{\"type\":{\"list\":{\"ref\":11}}}}],\"name\":\"discount\"},{\"")
            append("entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":90,\"items\":null,\"kind\":\"unary\",\"parameter\":\"shape\",\"receiver\"")
            append(":\"\",\"request\":{\"type\":{\"ref\":12}},\"response\":{\"type\":{\"ref\":12")
            append("}}}],\"name\":\"around\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"")
            append("wire\",\"error\":null,\"index\":97,\"items\":null,\"kind\":\"unary\",\"param")
            append("eter\":\"numbers\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"f64\"")
            append("}},\"response\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"twice\"},{\"entri")
            append("es\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":99,")
            append("\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"")
            append("\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"na")
            append("me\":\"sum\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"erro")
            append("r\":null,\"index\":106,\"items\":null,\"kind\":\"unary\",\"parameter\":\"req")
            append("uest\",\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"ty")
            append("pe\":\"bytes\"}}],\"name\":\"numbers\"},{\"entries\":[{\"arguments\":false,")
            append("\"encoding\":\"raw\",\"error\":null,\"index\":113,\"items\":null,\"kind\":\"")
            append("unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"")
            append("bytes\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"echo_bytes\"},{\"ent")
            append("ries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":1")
            append("20,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":")
            append("\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"")
            append("name\":\"get_blob\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire")
            append("\",\"error\":null,\"index\":132,\"items\":null,\"kind\":\"unary\",\"paramete")
            append("r\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"t")
            append("ype\":{\"ref\":13}}}],\"name\":\"get_structs\"},{\"entries\":[{\"arguments\"")
            append(":false,\"encoding\":\"wire\",\"error\":null,\"index\":139,\"items\":null,\"k")
            append("ind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"t")
            append("ype\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"plain\"}")
            append(",{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i")
            append("ndex\":146,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"rec")
            append("eiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"re")
            append("f\":3}}}],\"name\":\"ready\"},{\"entries\":[{\"arguments\":false,\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":153,\"items\":null,\"kind\":\"unary\",")
            append("\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3")
            append("}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"later\"},{\"entries\":[{")
            append("\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":155,\"item")
            append("s\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\"")
            append(":{\"type\":\"unit\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"never\"},")
            append("{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"ind")
            append("ex\":176,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":")
            append("\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"bytes\"}}],\"n")
            append("ame\":\"adder\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"e")
            append("rror\":null,\"index\":183,\"items\":null,\"kind\":\"unary\",\"parameter\":\"")
            append("name\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"t")
            append("ype\":\"bytes\"}}],\"name\":\"some_class\"},{\"entries\":[{\"arguments\":fal")
            append("se,\"encoding\":\"wire\",\"error\":null,\"index\":195,\"items\":null,\"kind")
            append("\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type")
            append("\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask\"},{\"e")
            append("ntries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":202,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receive")
            append("r\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":")
            append("3}}}],\"name\":\"ask_later\"},{\"entries\":[{\"arguments\":false,\"encoding")
            append("\":\"wire\",\"error\":null,\"index\":216,\"items\":null,\"kind\":\"unary\",")
            append("\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3")
            append("}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand\"},{\"entrie")
            append("s\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":223")
            append(",\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"")
            append("\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],")
            append("\"name\":\"ask_by_hand_later\"},{\"entries\":[{\"arguments\":false,\"encodin")
            append("g\":\"wire\",\"error\":null,\"index\":230,\"items\":null,\"kind\":\"unary\",")
            append("\"parameter\":\"request\",\"receiver\":\"Adder\",\"request\":{\"type\":{\"re")
            append("f\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"Adder.add\"},{\"ent")
            append("ries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":2")
            append("32,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"SomeC")
            append("lass\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"string\"}}],")
            append("\"name\":\"SomeClass.greet\"}],\"name\":\"bench\",\"types\":[{\"name\":\"Ben")
            append("chConfig\",\"record\":[{\"default\":true,\"name\":\"upcall\",\"type\":\"u64")
            append("\"}]},{\"name\":\"Division\",\"pod\":[{\"name\":\"a\",\"type\":\"i64\"},{\"n")
            append("ame\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Quotient\",\"pod\":[{\"name\":\"")
            append("quotient\",\"type\":\"f64\"}]},{\"name\":\"Value\",\"pod\":[{\"name\":\"valu")
            append("e\",\"type\":\"i32\"}]},{\"name\":\"Parts\",\"record\":[{\"name\":\"parts\",")
            append("\"type\":{\"list\":\"string\"}}]},{\"name\":\"Joined\",\"record\":[{\"name\"")
            append(":\"text\",\"type\":\"string\"}]},{\"name\":\"Values\",\"record\":[{\"name\":")
            append("\"values\",\"type\":{\"list\":\"any\"}}]},{\"name\":\"DivideParameters\",\"r")
            append("ecord\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}")
            append("]},{\"name\":\"Person\",\"record\":[{\"name\":\"name\",\"type\":\"string\"}]")
            append("},{\"name\":\"Greeting\",\"record\":[{\"name\":\"text\",\"type\":\"string\"}")
            append("]},{\"name\":\"Reading\",\"record\":[{\"name\":\"instrument\",\"type\":\"u32")
            append("\"},{\"name\":\"at\",\"type\":\"i64\"},{\"name\":\"low\",\"type\":\"f64\"},{")
            append("\"name\":\"high\",\"type\":\"f64\"},{\"name\":\"weight\",\"type\":\"f32\"},{")
            append("\"name\":\"count\",\"type\":\"u16\"}]},{\"name\":\"Item\",\"record\":[{\"nam")
            append("e\":\"number\",\"type\":\"u32\"},{\"name\":\"name\",\"type\":\"string\"},{\"")
            append("name\":\"price\",\"type\":\"f64\"}]},{\"enum\":{\"variants\":[{\"fields\":[{")
            append("\"name\":\"radius\",\"type\":\"f64\"}],\"name\":\"Circle\"},{\"fields\":[{\"")
            append("name\":\"width\",\"type\":\"f64\"},{\"name\":\"height\",\"type\":\"f64\"}],")
            append("\"name\":\"Rectangle\"},{\"fields\":[{\"name\":\"text\",\"type\":\"string\"}")
            append("],\"name\":\"Label\"}]},\"name\":\"Shape\"},{\"name\":\"Students\",\"record")
            append("\":[{\"name\":\"students\",\"type\":{\"list\":{\"ref\":14}}}]},{\"name\":\"S")
            append("tudent\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"fri")
            append("ends\",\"type\":\"i32\"},{\"name\":\"home\",\"type\":{\"ref\":15}},{\"name\"")
            append(":\"birth\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref\":16}},")
            append("{\"name\":\"subjects\",\"type\":{\"list\":{\"ref\":17}}},{\"name\":\"emails")
            append("\",\"type\":{\"list\":\"string\"}},{\"name\":\"schools\",\"type\":{\"list\":")
            append("{\"ref\":18}}}]},{\"name\":\"Address\",\"record\":[{\"name\":\"city\",\"type")
            append("\":\"string\"},{\"name\":\"zip\",\"type\":\"i32\"},{\"name\":\"street\",\"ty")
            append("pe\":\"string\"},{\"name\":\"number\",\"type\":\"i16\"}]},{\"name\":\"Date\"")
            append(",\"record\":[{\"name\":\"year\",\"type\":\"i32\"},{\"name\":\"month\",\"type")
            append("\":\"i32\"},{\"name\":\"day\",\"type\":\"i32\"}]},{\"name\":\"Subject\",\"re")
            append("cord\":[{\"name\":\"id\",\"type\":\"i32\"},{\"name\":\"title\",\"type\":\"st")
            append("ring\"},{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"School\",\"rec")
            append("ord\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"address\",\"type")
            append("\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref\":16}},{\"name\":\"email")
            append("s\",\"type\":{\"list\":\"string\"}}]}],\"version\":\"0.1.0\"}")
        }

        /**
         * Calls an instance of the plugin, which goes on to belong to the caller.
         *
         * @param plugin the instance
         * @return a client of it
         * @throws PluginException if the plugin's types are others than those that this was written
         *   from
         */
        public fun of(plugin: Plugin): Bench = Bench(plugin, false)

        /**
         * Loads the plugin. It's closed with the client.
         *
         * @param library the plugin's library
         * @param configure how to load it, as `loadPlugin` has it
         * @return a client of it, to be closed, best by `use`
         * @throws PluginException if it can't be loaded, or the plugin's types are others than
         *   those that this was written from
         */
        public fun load(library: Path, configure: PluginOptions.() -> Unit = {}): Bench {
            val config = pluginConfig(configure)
            return loaded(library, config) { Bench(it, true) }
        }
    }
}

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
 * Not here, since they have no types, or streams of objects: `void`, `sum`, `numbers`,
 * `echo_bytes`, `get_blob`, `never`, `count`, `ticks`, `adder`, `some_class`, `callback`,
 * `SomeClass.greet`.
 */
public class Bench private constructor(plugin: Plugin, owned: Boolean) :
    TypedClient(plugin, owned) {
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
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun answerTo(request: Int, options: CallOptions = CallOptions.defaults()): Int =
        this.answerTo.callWith(request, options)

    /**
     * Joins texts by commas, from a list to a text.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun joinTexts(
        request: List<String>,
        options: CallOptions = CallOptions.defaults(),
    ): String = this.joinTexts.callWith(request, options)

    /**
     * Greets somebody: a text in a record, there and back.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun greet(request: Person, options: CallOptions = CallOptions.defaults()): Greeting =
        this.greet.callWith(request, options)

    /**
     * Gives the reading that would follow: a record of numbers, there and back.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun nextReading(
        request: Reading,
        options: CallOptions = CallOptions.defaults(),
    ): Reading = this.nextReading.callWith(request, options)

    /**
     * Makes every second item half as dear: a list of records, there and back.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun discount(
        request: List<Item>,
        options: CallOptions = CallOptions.defaults(),
    ): List<Item> = this.discount.callWith(request, options)

    /**
     * Gives the shape around another: an enum with data, there and back.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun around(request: Shape, options: CallOptions = CallOptions.defaults()): Shape =
        this.around.callWith(request, options)

    /**
     * Doubles numbers: a list of them, there and back.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun twice(
        request: DoubleArray,
        options: CallOptions = CallOptions.defaults(),
    ): DoubleArray = this.twice.callWith(request, options)

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
            append("{\"methods\":[{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":")
            append("13,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\"")
            append(":{\"ref\":1}},\"response\":{\"type\":{\"ref\":2}}}],\"name\":\"div\"},{\"ent")
            append("ries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":20,\"items\":null,\"")
            append("kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"resp")
            append("onse\":{\"type\":{\"ref\":3}}}],\"name\":\"get_answer\"},{\"entries\":[{\"en")
            append("coding\":\"wire\",\"error\":null,\"index\":27,\"items\":null,\"kind\":\"unar")
            append("y\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":4}},\"response\":{\"typ")
            append("e\":{\"ref\":5}}}],\"name\":\"join\"},{\"entries\":[{\"encoding\":\"wire\",")
            append("\"error\":null,\"index\":34,\"items\":null,\"kind\":\"unary\",\"receiver\":")
            append("\"\",\"request\":{\"type\":{\"ref\":6}},\"response\":{\"type\":{\"ref\":6}}}")
            append("],\"name\":\"any\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"in")
            append("dex\":41,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"")
            append("type\":{\"ref\":7}},\"response\":{\"type\":\"f64\"}}],\"name\":\"divide\"},{")
            append("\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":48,\"items\":nu")
            append("ll,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":\"i32\"},\"res")
            append("ponse\":{\"type\":\"i32\"}}],\"name\":\"answer_to\"},{\"entries\":[{\"encodi")
            append("ng\":\"wire\",\"error\":null,\"index\":55,\"items\":null,\"kind\":\"unary\",")
            append("\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"string\"}},\"response\":")
            append("{\"type\":\"string\"}}],\"name\":\"join_texts\"},{\"entries\":[{\"encoding\"")
            append(":\"wire\",\"error\":null,\"index\":62,\"items\":null,\"kind\":\"unary\",\"re")
            append("ceiver\":\"\",\"request\":{\"type\":{\"ref\":8}},\"response\":{\"type\":{\"r")
            append("ef\":9}}}],\"name\":\"greet\"},{\"entries\":[{\"encoding\":\"wire\",\"error")
            append("\":null,\"index\":69,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"r")
            append("equest\":{\"type\":{\"ref\":10}},\"response\":{\"type\":{\"ref\":10}}}],\"na")
            append("me\":\"next_reading\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,")
            append("\"index\":76,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\"")
            append(":{\"type\":{\"list\":{\"ref\":11}}},\"response\":{\"type\":{\"list\":{\"ref")
            append("\":11}}}}],\"name\":\"discount\"},{\"entries\":[{\"encoding\":\"wire\",\"err")
            append("or\":null,\"index\":83,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",")
            append("\"request\":{\"type\":{\"ref\":12}},\"response\":{\"type\":{\"ref\":12}}}],")
            append("\"name\":\"around\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"i")
            append("ndex\":90,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{")
            append("\"type\":{\"list\":\"f64\"}},\"response\":{\"type\":{\"list\":\"f64\"}}}],\"")
            append("name\":\"twice\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"inde")
            append("x\":125,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"t")
            append("ype\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"get_struct")
            append("s\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":132,\"ite")
            append("ms\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref")
            append("\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"plain\"},{\"entries")
            append("\":[{\"encoding\":\"wire\",\"error\":null,\"index\":139,\"items\":null,\"kin")
            append("d\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"respons")
            append("e\":{\"type\":{\"ref\":3}}}],\"name\":\"ready\"},{\"entries\":[{\"encoding\"")
            append(":\"wire\",\"error\":null,\"index\":146,\"items\":null,\"kind\":\"unary\",\"r")
            append("eceiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"")
            append("ref\":3}}}],\"name\":\"later\"},{\"entries\":[{\"encoding\":\"wire\",\"error")
            append("\":null,\"index\":188,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"")
            append("request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"nam")
            append("e\":\"ask\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":1")
            append("95,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\"")
            append(":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_later\"},")
            append("{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":209,\"items\":")
            append("null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}}")
            append(",\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand\"},{\"entries")
            append("\":[{\"encoding\":\"wire\",\"error\":null,\"index\":216,\"items\":null,\"kin")
            append("d\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"respons")
            append("e\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand_later\"},{\"entries\":[{")
            append("\"encoding\":\"wire\",\"error\":null,\"index\":223,\"items\":null,\"kind\":")
            append("\"unary\",\"receiver\":\"Adder\",\"request\":{\"type\":{\"ref\":3}},\"respon")
            append("se\":{\"type\":{\"ref\":3}}}],\"name\":\"Adder.add\"}],\"name\":\"bench\",\"")
            append("types\":[{\"name\":\"BenchConfig\",\"record\":[{\"default\":true,\"name\":\"")
            append("upcall\",\"type\":\"u64\"}]},{\"name\":\"Division\",\"pod\":[{\"name\":\"a\"")
            append(",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Quotient")
            append("\",\"pod\":[{\"name\":\"quotient\",\"type\":\"f64\"}]},{\"name\":\"Value\",")
            append("\"pod\":[{\"name\":\"value\",\"type\":\"i32\"}]},{\"name\":\"Parts\",\"recor")
            append("d\":[{\"name\":\"parts\",\"type\":{\"list\":\"string\"}}]},{\"name\":\"Joine")
            append("d\",\"record\":[{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Values")
            append("\",\"record\":[{\"name\":\"values\",\"type\":{\"list\":\"any\"}}]},{\"name\"")
            append(":\"DivideParameters\",\"record\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name")
            append("\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Person\",\"record\":[{\"name\":\"na")
            append("me\",\"type\":\"string\"}]},{\"name\":\"Greeting\",\"record\":[{\"name\":\"t")
            append("ext\",\"type\":\"string\"}]},{\"name\":\"Reading\",\"record\":[{\"name\":\"i")
            append("nstrument\",\"type\":\"u32\"},{\"name\":\"at\",\"type\":\"i64\"},{\"name\":")
            append("\"low\",\"type\":\"f64\"},{\"name\":\"high\",\"type\":\"f64\"},{\"name\":\"w")
            append("eight\",\"type\":\"f32\"},{\"name\":\"count\",\"type\":\"u16\"}]},{\"name\":")
            append("\"Item\",\"record\":[{\"name\":\"number\",\"type\":\"u32\"},{\"name\":\"name")
            append("\",\"type\":\"string\"},{\"name\":\"price\",\"type\":\"f64\"}]},{\"enum\":{")
            append("\"variants\":[{\"fields\":[{\"name\":\"radius\",\"type\":\"f64\"}],\"name\":")
            append("\"Circle\"},{\"fields\":[{\"name\":\"width\",\"type\":\"f64\"},{\"name\":\"h")
            append("eight\",\"type\":\"f64\"}],\"name\":\"Rectangle\"},{\"fields\":[{\"name\":\"")
            append("text\",\"type\":\"string\"}],\"name\":\"Label\"}]},\"name\":\"Shape\"},{\"na")
            append("me\":\"Students\",\"record\":[{\"name\":\"students\",\"type\":{\"list\":{\"r")
            append("ef\":14}}}]},{\"name\":\"Student\",\"record\":[{\"name\":\"name\",\"type\":")
            append("\"string\"},{\"name\":\"friends\",\"type\":\"i32\"},{\"name\":\"home\",\"typ")
            append("e\":{\"ref\":15}},{\"name\":\"birth\",\"type\":{\"ref\":15}},{\"name\":\"dat")
            append("e\",\"type\":{\"ref\":16}},{\"name\":\"subjects\",\"type\":{\"list\":{\"ref")
            append("\":17}}},{\"name\":\"emails\",\"type\":{\"list\":\"string\"}},{\"name\":\"sc")
            append("hools\",\"type\":{\"list\":{\"ref\":18}}}]},{\"name\":\"Address\",\"record\"")
            append(":[{\"name\":\"city\",\"type\":\"string\"},{\"name\":\"zip\",\"type\":\"i32\"")
            append("},{\"name\":\"street\",\"type\":\"string\"},{\"name\":\"number\",\"type\":\"")
            append("i16\"}]},{\"name\":\"Date\",\"record\":[{\"name\":\"year\",\"type\":\"i32\"}")
            append(",{\"name\":\"month\",\"type\":\"i32\"},{\"name\":\"day\",\"type\":\"i32\"}]}")
            append(",{\"name\":\"Subject\",\"record\":[{\"name\":\"id\",\"type\":\"i32\"},{\"nam")
            append("e\":\"title\",\"type\":\"string\"},{\"name\":\"text\",\"type\":\"string\"}]}")
            append(",{\"name\":\"School\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{")
            append("\"name\":\"address\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"r")
            append("ef\":16}},{\"name\":\"emails\",\"type\":{\"list\":\"string\"}}]}],\"version")
            append("\":\"0.1.0\"}")
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

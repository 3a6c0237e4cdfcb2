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
     * Adds numbers up, wrapping, from a list to a number.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun addUp(request: LongArray, options: CallOptions = CallOptions.defaults()): Long =
        this.addUp.callWith(request, options)

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
            append("ceiver\":\"\",\"request\":{\"type\":{\"list\":\"i64\"}},\"response\":{\"type")
            append("\":\"i64\"}}],\"name\":\"add_up\"},{\"entries\":[{\"encoding\":\"wire\",\"er")
            append("ror\":null,\"index\":69,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",")
            append("\"request\":{\"type\":{\"ref\":8}},\"response\":{\"type\":{\"ref\":9}}}],\"n")
            append("ame\":\"greet\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":76,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"typ")
            append("e\":{\"ref\":10}},\"response\":{\"type\":{\"ref\":10}}}],\"name\":\"next_rea")
            append("ding\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":83,\"i")
            append("tems\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"li")
            append("st\":{\"ref\":11}}},\"response\":{\"type\":{\"list\":{\"ref\":11}}}}],\"name")
            append("\":\"discount\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index")
            append("\":90,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"typ")
            append("e\":{\"ref\":12}},\"response\":{\"type\":{\"ref\":12}}}],\"name\":\"around\"")
            append("},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":97,\"items\"")
            append(":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":")
            append("\"f64\"}},\"response\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"twice\"},{")
            append("\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":132,\"items\":n")
            append("ull,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"r")
            append("esponse\":{\"type\":{\"ref\":13}}}],\"name\":\"get_structs\"},{\"entries\":[")
            append("{\"encoding\":\"wire\",\"error\":null,\"index\":139,\"items\":null,\"kind\":")
            append("\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":")
            append("{\"type\":{\"ref\":3}}}],\"name\":\"plain\"},{\"entries\":[{\"encoding\":\"w")
            append("ire\",\"error\":null,\"index\":146,\"items\":null,\"kind\":\"unary\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref")
            append("\":3}}}],\"name\":\"ready\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":")
            append("null,\"index\":153,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"req")
            append("uest\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\"")
            append(":\"later\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":19")
            append("5,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":")
            append("{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask\"},{\"entr")
            append("ies\":[{\"encoding\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"")
            append("kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"resp")
            append("onse\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_later\"},{\"entries\":[{\"enc")
            append("oding\":\"wire\",\"error\":null,\"index\":216,\"items\":null,\"kind\":\"unar")
            append("y\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"typ")
            append("e\":{\"ref\":3}}}],\"name\":\"ask_by_hand\"},{\"entries\":[{\"encoding\":\"w")
            append("ire\",\"error\":null,\"index\":223,\"items\":null,\"kind\":\"unary\",\"recei")
            append("ver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref")
            append("\":3}}}],\"name\":\"ask_by_hand_later\"},{\"entries\":[{\"encoding\":\"wire")
            append("\",\"error\":null,\"index\":230,\"items\":null,\"kind\":\"unary\",\"receiver")
            append("\":\"Adder\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"re")
            append("f\":3}}}],\"name\":\"Adder.add\"}],\"name\":\"bench\",\"types\":[{\"name\":")
            append("\"BenchConfig\",\"record\":[{\"default\":true,\"name\":\"upcall\",\"type\":")
            append("\"u64\"}]},{\"name\":\"Division\",\"pod\":[{\"name\":\"a\",\"type\":\"i64\"}")
            append(",{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Quotient\",\"pod\":[{\"name")
            append("\":\"quotient\",\"type\":\"f64\"}]},{\"name\":\"Value\",\"pod\":[{\"name\":")
            append("\"value\",\"type\":\"i32\"}]},{\"name\":\"Parts\",\"record\":[{\"name\":\"pa")
            append("rts\",\"type\":{\"list\":\"string\"}}]},{\"name\":\"Joined\",\"record\":[{\"")
            append("name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Values\",\"record\":[{\"n")
            append("ame\":\"values\",\"type\":{\"list\":\"any\"}}]},{\"name\":\"DivideParameters")
            append("\",\"record\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"")
            append("i64\"}]},{\"name\":\"Person\",\"record\":[{\"name\":\"name\",\"type\":\"stri")
            append("ng\"}]},{\"name\":\"Greeting\",\"record\":[{\"name\":\"text\",\"type\":\"str")
            append("ing\"}]},{\"name\":\"Reading\",\"record\":[{\"name\":\"instrument\",\"type\"")
            append(":\"u32\"},{\"name\":\"at\",\"type\":\"i64\"},{\"name\":\"low\",\"type\":\"f6")
            append("4\"},{\"name\":\"high\",\"type\":\"f64\"},{\"name\":\"weight\",\"type\":\"f3")
            append("2\"},{\"name\":\"count\",\"type\":\"u16\"}]},{\"name\":\"Item\",\"record\":[")
            append("{\"name\":\"number\",\"type\":\"u32\"},{\"name\":\"name\",\"type\":\"string")
            append("\"},{\"name\":\"price\",\"type\":\"f64\"}]},{\"enum\":{\"variants\":[{\"fiel")
            append("ds\":[{\"name\":\"radius\",\"type\":\"f64\"}],\"name\":\"Circle\"},{\"fields")
            append("\":[{\"name\":\"width\",\"type\":\"f64\"},{\"name\":\"height\",\"type\":\"f6")
            append("4\"}],\"name\":\"Rectangle\"},{\"fields\":[{\"name\":\"text\",\"type\":\"str")
            append("ing\"}],\"name\":\"Label\"}]},\"name\":\"Shape\"},{\"name\":\"Students\",\"r")
            append("ecord\":[{\"name\":\"students\",\"type\":{\"list\":{\"ref\":14}}}]},{\"name")
            append("\":\"Student\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\"")
            append(":\"friends\",\"type\":\"i32\"},{\"name\":\"home\",\"type\":{\"ref\":15}},{\"")
            append("name\":\"birth\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref\"")
            append(":16}},{\"name\":\"subjects\",\"type\":{\"list\":{\"ref\":17}}},{\"name\":\"e")
            append("mails\",\"type\":{\"list\":\"string\"}},{\"name\":\"schools\",\"type\":{\"li")
            append("st\":{\"ref\":18}}}]},{\"name\":\"Address\",\"record\":[{\"name\":\"city\",")
            append("\"type\":\"string\"},{\"name\":\"zip\",\"type\":\"i32\"},{\"name\":\"street")
            append("\",\"type\":\"string\"},{\"name\":\"number\",\"type\":\"i16\"}]},{\"name\":")
            append("\"Date\",\"record\":[{\"name\":\"year\",\"type\":\"i32\"},{\"name\":\"month")
            append("\",\"type\":\"i32\"},{\"name\":\"day\",\"type\":\"i32\"}]},{\"name\":\"Subje")
            append("ct\",\"record\":[{\"name\":\"id\",\"type\":\"i32\"},{\"name\":\"title\",\"ty")
            append("pe\":\"string\"},{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Schoo")
            append("l\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"address")
            append("\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref\":16}},{\"name")
            append("\":\"emails\",\"type\":{\"list\":\"string\"}}]}],\"version\":\"0.1.0\"}")
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

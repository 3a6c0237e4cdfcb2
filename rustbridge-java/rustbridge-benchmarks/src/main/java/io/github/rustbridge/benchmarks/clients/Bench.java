// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.TypedClient;
import io.github.rustbridge.TypedMethod;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Methods that are there to be measured.
 *
 * <p>Not here, since they have no types, or streams of objects: {@code void}, {@code sum}, {@code
 * numbers}, {@code echo_bytes}, {@code get_blob}, {@code never}, {@code count}, {@code ticks},
 * {@code adder}, {@code some_class}, {@code callback}, {@code SomeClass.greet}.
 */
public final class Bench extends TypedClient {
  private static final String CONTRACT =
      String.join(
          "",
          "{\"methods\":[{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":13,\"items",
          "\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1}},\"resp",
          "onse\":{\"type\":{\"ref\":2}}}],\"name\":\"div\"},{\"entries\":[{\"encoding\":\"wire\"",
          ",\"error\":null,\"index\":20,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"req",
          "uest\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"get_ans",
          "wer\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":27,\"items\":null",
          ",\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":4}},\"response\":",
          "{\"type\":{\"ref\":5}}}],\"name\":\"join\"},{\"entries\":[{\"encoding\":\"wire\",\"err",
          "or\":null,\"index\":34,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\"",
          ":{\"type\":{\"ref\":6}},\"response\":{\"type\":{\"ref\":6}}}],\"name\":\"any\"},{\"ent",
          "ries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":41,\"items\":null,\"kind\":\"u",
          "nary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":7}},\"response\":{\"type\":\"f",
          "64\"}}],\"name\":\"divide\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"ind",
          "ex\":48,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":\"i3",
          "2\"},\"response\":{\"type\":\"i32\"}}],\"name\":\"answer_to\"},{\"entries\":[{\"encodi",
          "ng\":\"wire\",\"error\":null,\"index\":55,\"items\":null,\"kind\":\"unary\",\"receiver",
          "\":\"\",\"request\":{\"type\":{\"list\":\"string\"}},\"response\":{\"type\":\"string\"",
          "}}],\"name\":\"join_texts\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"ind",
          "ex\":62,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"l",
          "ist\":\"i64\"}},\"response\":{\"type\":\"i64\"}}],\"name\":\"add_up\"},{\"entries\":[{",
          "\"encoding\":\"wire\",\"error\":null,\"index\":69,\"items\":null,\"kind\":\"unary\",\"",
          "receiver\":\"\",\"request\":{\"type\":{\"ref\":8}},\"response\":{\"type\":{\"ref\":9}}",
          "}],\"name\":\"greet\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":7",
          "6,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1",
          "0}},\"response\":{\"type\":{\"ref\":10}}}],\"name\":\"next_reading\"},{\"entries\":[{",
          "\"encoding\":\"wire\",\"error\":null,\"index\":83,\"items\":null,\"kind\":\"unary\",\"",
          "receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":11}}},\"response\":{\"type\":",
          "{\"list\":{\"ref\":11}}}}],\"name\":\"discount\"},{\"entries\":[{\"encoding\":\"wire\"",
          ",\"error\":null,\"index\":90,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"req",
          "uest\":{\"type\":{\"ref\":12}},\"response\":{\"type\":{\"ref\":12}}}],\"name\":\"aroun",
          "d\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":97,\"items\":null,",
          "\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"f64\"}},\"respo",
          "nse\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"twice\"},{\"entries\":[{\"encoding\":",
          "\"wire\",\"error\":null,\"index\":132,\"items\":null,\"kind\":\"unary\",\"receiver\":",
          "\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":",
          "\"get_structs\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":139,\"i",
          "tems\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"",
          "response\":{\"type\":{\"ref\":3}}}],\"name\":\"plain\"},{\"entries\":[{\"encoding\":\"",
          "wire\",\"error\":null,\"index\":146,\"items\":null,\"kind\":\"unary\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":",
          "\"ready\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":153,\"items\"",
          ":null,\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"respon",
          "se\":{\"type\":{\"ref\":3}}}],\"name\":\"later\"},{\"entries\":[{\"encoding\":\"wire\"",
          ",\"error\":null,\"index\":195,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"re",
          "quest\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask\"}",
          ",{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"ki",
          "nd\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"ty",
          "pe\":{\"ref\":3}}}],\"name\":\"ask_later\"},{\"entries\":[{\"encoding\":\"wire\",\"err",
          "or\":null,\"index\":216,\"items\":null,\"kind\":\"unary\",\"receiver\":\"\",\"request",
          "\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand",
          "\"},{\"entries\":[{\"encoding\":\"wire\",\"error\":null,\"index\":223,\"items\":null,",
          "\"kind\":\"unary\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{",
          "\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand_later\"},{\"entries\":[{\"encoding\":\"",
          "wire\",\"error\":null,\"index\":230,\"items\":null,\"kind\":\"unary\",\"receiver\":\"A",
          "dder\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name",
          "\":\"Adder.add\"}],\"name\":\"bench\",\"types\":[{\"name\":\"BenchConfig\",\"record\":",
          "[{\"default\":true,\"name\":\"upcall\",\"type\":\"u64\"}]},{\"name\":\"Division\",\"po",
          "d\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":",
          "\"Quotient\",\"pod\":[{\"name\":\"quotient\",\"type\":\"f64\"}]},{\"name\":\"Value\",",
          "\"pod\":[{\"name\":\"value\",\"type\":\"i32\"}]},{\"name\":\"Parts\",\"record\":[{\"na",
          "me\":\"parts\",\"type\":{\"list\":\"string\"}}]},{\"name\":\"Joined\",\"record\":[{\"n",
          "ame\":\"text\",\"type\":\"string\"}]},{\"name\":\"Values\",\"record\":[{\"name\":\"val",
          "ues\",\"type\":{\"list\":\"any\"}}]},{\"name\":\"DivideParameters\",\"record\":[{\"nam",
          "e\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Person\",",
          "\"record\":[{\"name\":\"name\",\"type\":\"string\"}]},{\"name\":\"Greeting\",\"record",
          "\":[{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Reading\",\"record\":[{\"nam",
          "e\":\"instrument\",\"type\":\"u32\"},{\"name\":\"at\",\"type\":\"i64\"},{\"name\":\"lo",
          "w\",\"type\":\"f64\"},{\"name\":\"high\",\"type\":\"f64\"},{\"name\":\"weight\",\"type",
          "\":\"f32\"},{\"name\":\"count\",\"type\":\"u16\"}]},{\"name\":\"Item\",\"record\":[{\"",
          "name\":\"number\",\"type\":\"u32\"},{\"name\":\"name\",\"type\":\"string\"},{\"name\":",
          "\"price\",\"type\":\"f64\"}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name\":\"radius",
          "\",\"type\":\"f64\"}],\"name\":\"Circle\"},{\"fields\":[{\"name\":\"width\",\"type\":",
          "\"f64\"},{\"name\":\"height\",\"type\":\"f64\"}],\"name\":\"Rectangle\"},{\"fields\":[",
          "{\"name\":\"text\",\"type\":\"string\"}],\"name\":\"Label\"}]},\"name\":\"Shape\"},{\"",
          "name\":\"Students\",\"record\":[{\"name\":\"students\",\"type\":{\"list\":{\"ref\":14}",
          "}}]},{\"name\":\"Student\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name",
          "\":\"friends\",\"type\":\"i32\"},{\"name\":\"home\",\"type\":{\"ref\":15}},{\"name\":",
          "\"birth\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref\":16}},{\"name\":",
          "\"subjects\",\"type\":{\"list\":{\"ref\":17}}},{\"name\":\"emails\",\"type\":{\"list\"",
          ":\"string\"}},{\"name\":\"schools\",\"type\":{\"list\":{\"ref\":18}}}]},{\"name\":\"Ad",
          "dress\",\"record\":[{\"name\":\"city\",\"type\":\"string\"},{\"name\":\"zip\",\"type\"",
          ":\"i32\"},{\"name\":\"street\",\"type\":\"string\"},{\"name\":\"number\",\"type\":\"i1",
          "6\"}]},{\"name\":\"Date\",\"record\":[{\"name\":\"year\",\"type\":\"i32\"},{\"name\":",
          "\"month\",\"type\":\"i32\"},{\"name\":\"day\",\"type\":\"i32\"}]},{\"name\":\"Subject",
          "\",\"record\":[{\"name\":\"id\",\"type\":\"i32\"},{\"name\":\"title\",\"type\":\"strin",
          "g\"},{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"School\",\"record\":[{\"nam",
          "e\":\"name\",\"type\":\"string\"},{\"name\":\"address\",\"type\":{\"ref\":15}},{\"name",
          "\":\"date\",\"type\":{\"ref\":16}},{\"name\":\"emails\",\"type\":{\"list\":\"string\"}",
          "}]}],\"version\":\"0.1.0\"}");

  private final TypedMethod<Division, Quotient> div;
  private final TypedMethod<Value, Value> getAnswer;
  private final TypedMethod<Parts, Joined> join;
  private final TypedMethod<Values_, Values_> any;
  private final TypedMethod<DivideParameters, Double> divide;
  private final TypedMethod<Integer, Integer> answerTo;
  private final TypedMethod<List<String>, String> joinTexts;
  private final TypedMethod<long[], Long> addUp;
  private final TypedMethod<Person, Greeting> greet;
  private final TypedMethod<Reading, Reading> nextReading;
  private final TypedMethod<List<Item>, List<Item>> discount;
  private final TypedMethod<Shape, Shape> around;
  private final TypedMethod<double[], double[]> twice;
  private final TypedMethod<Void, Students> getStructs;
  private final TypedMethod<Value, Value> plain;
  private final TypedMethod<Value, Value> ready;
  private final TypedMethod<Value, Value> later;
  private final TypedMethod<Value, Value> ask;
  private final TypedMethod<Value, Value> askLater;
  private final TypedMethod<Value, Value> askByHand;
  private final TypedMethod<Value, Value> askByHandLater;
  final TypedMethod<Value, Value> adder__add;

  private Bench(Plugin plugin, boolean owned) {
    super(plugin, owned);
    this.div =
        method(
            "div",
            "3b827e20b7cc0b275e81da2370021ee9",
            CONTRACT,
            BenchCodec::writeDivision,
            BenchCodec::readQuotient);
    this.getAnswer =
        method(
            "get_answer",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.join =
        method(
            "join",
            "cc8f24167851a1fe1bc7a2feb0424ff5",
            CONTRACT,
            BenchCodec::writeParts,
            BenchCodec::readJoined);
    this.any =
        method(
            "any",
            "73dbbb6b5050606ae695478dbc36dc62",
            CONTRACT,
            BenchCodec::writeValues_,
            BenchCodec::readValues_);
    this.divide =
        method(
            "divide",
            "2cc7b1d070e905f6b0b647a5e592ccc6",
            CONTRACT,
            BenchCodec::writeDivideParameters,
            in -> in.f64());
    this.answerTo =
        method(
            "answer_to",
            "e1c392b728732e03f914106ed09a4f70",
            CONTRACT,
            (out, value) -> out.i32(value),
            in -> in.i32());
    this.joinTexts =
        method(
            "join_texts",
            "3e4245726c7d197143133c7b89dc48b6",
            CONTRACT,
            (out, value) -> BenchCodec.writeListOfString(out, value, "request"),
            in -> in.string());
    this.addUp =
        method(
            "add_up",
            "bc1781f8cfcb8ee1d446185cffdf997c",
            CONTRACT,
            (out, value) -> out.i64s(value),
            in -> in.i64());
    this.greet =
        method(
            "greet",
            "aa02cc6e002855b5f822eb6fbdc8214a",
            CONTRACT,
            BenchCodec::writePerson,
            BenchCodec::readGreeting);
    this.nextReading =
        method(
            "next_reading",
            "edba43a9b2ee052fb82422657014a174",
            CONTRACT,
            BenchCodec::writeReading,
            BenchCodec::readReading);
    this.discount =
        method(
            "discount",
            "9778e4774dd23969ea7c1ef2c2c0c11a",
            CONTRACT,
            BenchCodec::writeListOfItem,
            BenchCodec::readListOfItem);
    this.around =
        method(
            "around",
            "d59e7b46bacc4ea8f7419b3ab054552d",
            CONTRACT,
            BenchCodec::writeShape,
            BenchCodec::readShape);
    this.twice =
        method(
            "twice",
            "d44b8782b9348016131b260d1783fb49",
            CONTRACT,
            (out, value) -> out.f64s(value),
            in -> in.f64s());
    this.getStructs =
        method(
            "get_structs",
            "88ae0f1203707c7d8bb6c9d73a817b6f",
            CONTRACT,
            (out, value) -> {},
            BenchCodec::readStudents);
    this.plain =
        method(
            "plain",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.ready =
        method(
            "ready",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.later =
        method(
            "later",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.ask =
        method(
            "ask",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.askLater =
        method(
            "ask_later",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.askByHand =
        method(
            "ask_by_hand",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.askByHandLater =
        method(
            "ask_by_hand_later",
            "f0c2e52034985582f2b6e748ecddfa1d",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
    this.adder__add =
        objectMethod(
            "Adder.add",
            "1a15ed3551d301e402e8f59eb5332bdd",
            CONTRACT,
            BenchCodec::writeValue,
            BenchCodec::readValue);
  }

  /**
   * Calls an instance of the plugin, which goes on to belong to the caller.
   *
   * @param plugin the instance
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if the plugin's types are others than those that
   *     this was written from
   */
  public static Bench of(Plugin plugin) {
    return new Bench(plugin, false);
  }

  /**
   * Loads the plugin. It's closed with the client.
   *
   * @param library the plugin's library
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if it can't be loaded, or the plugin's types are
   *     others than those that this was written from
   */
  public static Bench load(Path library) {
    return load(library, PluginConfig.defaults());
  }

  /**
   * Loads the plugin. It's closed with the client.
   *
   * @param library the plugin's library
   * @param config the plugin's configuration, and what the host wants of the instance
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if it can't be loaded, or the plugin's types are
   *     others than those that this was written from
   */
  public static Bench load(Path library, PluginConfig config) {
    return loaded(library, config, plugin -> new Bench(plugin, true));
  }

  /**
   * Divides two integers; the quotient is a double.
   *
   * @param request the request
   * @return the response
   */
  public Quotient div(Division request) {
    return this.div.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Divides two integers; the quotient is a double.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Quotient div(Division request, CallOptions options) {
    return this.div.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Adds 41: the answer to 23 is 64.
   *
   * @param request the request
   * @return the response
   */
  public Value getAnswer(Value request) {
    return this.getAnswer.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Adds 41: the answer to 23 is 64.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value getAnswer(Value request, CallOptions options) {
    return this.getAnswer.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Joins texts by commas.
   *
   * @param request the request
   * @return the response
   */
  public Joined join(Parts request) {
    return this.join.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Joins texts by commas.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Joined join(Parts request, CallOptions options) {
    return this.join.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Answers with what it was sent, values of any types.
   *
   * @param request the request
   * @return the response
   */
  public Values_ any(Values_ request) {
    return this.any.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Answers with what it was sent, values of any types.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Values_ any(Values_ request, CallOptions options) {
    return this.any.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Divides, as generated clients call it: by the language's own types.
   *
   * @param a {@code a}
   * @param b {@code b}
   * @return the response
   */
  public double divide(long a, long b) {
    return this.divide.call(new DivideParameters(a, b));
  }

  /**
   * Divides, as generated clients call it: by the language's own types.
   *
   * @param a {@code a}
   * @param b {@code b}
   * @param options what the call carries besides
   * @return the response
   */
  public double divide(long a, long b, CallOptions options) {
    return this.divide.call(new DivideParameters(a, b), options);
  }

  /**
   * The same answer as `get_answer`, from a number to a number.
   *
   * @param request the request
   * @return the response
   */
  public int answerTo(int request) {
    return this.answerTo.call(request);
  }

  /**
   * The same answer as `get_answer`, from a number to a number.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public int answerTo(int request, CallOptions options) {
    return this.answerTo.call(request, options);
  }

  /**
   * Joins texts by commas, from a list to a text.
   *
   * @param request the request
   * @return the response
   */
  public String joinTexts(List<String> request) {
    return this.joinTexts.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Joins texts by commas, from a list to a text.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public String joinTexts(List<String> request, CallOptions options) {
    return this.joinTexts.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Adds numbers up, wrapping, from a list to a number.
   *
   * @param request the request
   * @return the response
   */
  public long addUp(long[] request) {
    return this.addUp.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Adds numbers up, wrapping, from a list to a number.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public long addUp(long[] request, CallOptions options) {
    return this.addUp.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Greets somebody: a text in a record, there and back.
   *
   * @param request the request
   * @return the response
   */
  public Greeting greet(Person request) {
    return this.greet.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Greets somebody: a text in a record, there and back.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Greeting greet(Person request, CallOptions options) {
    return this.greet.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives the reading that would follow: a record of numbers, there and back.
   *
   * @param request the request
   * @return the response
   */
  public Reading nextReading(Reading request) {
    return this.nextReading.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives the reading that would follow: a record of numbers, there and back.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Reading nextReading(Reading request, CallOptions options) {
    return this.nextReading.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Makes every second item half as dear: a list of records, there and back.
   *
   * @param request the request
   * @return the response
   */
  public List<Item> discount(List<Item> request) {
    return this.discount.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Makes every second item half as dear: a list of records, there and back.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public List<Item> discount(List<Item> request, CallOptions options) {
    return this.discount.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives the shape around another: an enum with data, there and back.
   *
   * @param request the request
   * @return the response
   */
  public Shape around(Shape request) {
    return this.around.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives the shape around another: an enum with data, there and back.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Shape around(Shape request, CallOptions options) {
    return this.around.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Doubles numbers: a list of them, there and back.
   *
   * @param request the request
   * @return the response
   */
  public double[] twice(double[] request) {
    return this.twice.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Doubles numbers: a list of them, there and back.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public double[] twice(double[] request, CallOptions options) {
    return this.twice.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
   *
   * @return the response
   */
  public Students getStructs() {
    return this.getStructs.call(null);
  }

  /**
   * Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
   *
   * @param options what the call carries besides
   * @return the response
   */
  public Students getStructs(CallOptions options) {
    return this.getStructs.call(null, options);
  }

  /**
   * Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
   *
   * @param request the request
   * @return the response
   */
  public Value plain(Value request) {
    return this.plain.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value plain(Value request, CallOptions options) {
    return this.plain.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The same in an async handler that never waits.
   *
   * @param request the request
   * @return the response
   */
  public Value ready(Value request) {
    return this.ready.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * The same in an async handler that never waits.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value ready(Value request, CallOptions options) {
    return this.ready.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The same after it has let others run once.
   *
   * @param request the request
   * @return the response
   */
  public Value later(Value request) {
    return this.later.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * The same after it has let others run once.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value later(Value request, CallOptions options) {
    return this.later.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Has its host answer, by the service `numbers.answer`.
   *
   * @param request the request
   * @return the response
   */
  public Value ask(Value request) {
    return this.ask.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Has its host answer, by the service `numbers.answer`.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value ask(Value request, CallOptions options) {
    return this.ask.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The same by the service `numbers.answer_later`, awaited.
   *
   * @param request the request
   * @return the response
   */
  public Value askLater(Value request) {
    return this.askLater.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * The same by the service `numbers.answer_later`, awaited.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value askLater(Value request, CallOptions options) {
    return this.askLater.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * What `ask` does, by the bare address in the configuration.
   *
   * @param request the request
   * @return the response
   */
  public Value askByHand(Value request) {
    return this.askByHand.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * What `ask` does, by the bare address in the configuration.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value askByHand(Value request, CallOptions options) {
    return this.askByHand.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * What `ask_later` does, by the bare address in the configuration.
   *
   * @param request the request
   * @return the response
   */
  public Value askByHandLater(Value request) {
    return this.askByHandLater.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * What `ask_later` does, by the bare address in the configuration.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value askByHandLater(Value request, CallOptions options) {
    return this.askByHandLater.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The same in an async handler that never waits.
   *
   * @param request the request
   * @return the response, when it's there
   */
  public CompletableFuture<Value> readyAsync(Value request) {
    return this.ready.callAsync(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * The same in an async handler that never waits.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Value> readyAsync(Value request, CallOptions options) {
    return this.ready.callAsync(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The same after it has let others run once.
   *
   * @param request the request
   * @return the response, when it's there
   */
  public CompletableFuture<Value> laterAsync(Value request) {
    return this.later.callAsync(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * The same after it has let others run once.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Value> laterAsync(Value request, CallOptions options) {
    return this.later.callAsync(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The same by the service `numbers.answer_later`, awaited.
   *
   * @param request the request
   * @return the response, when it's there
   */
  public CompletableFuture<Value> askLaterAsync(Value request) {
    return this.askLater.callAsync(
        Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * The same by the service `numbers.answer_later`, awaited.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Value> askLaterAsync(Value request, CallOptions options) {
    return this.askLater.callAsync(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * What `ask_later` does, by the bare address in the configuration.
   *
   * @param request the request
   * @return the response, when it's there
   */
  public CompletableFuture<Value> askByHandLaterAsync(Value request) {
    return this.askByHandLater.callAsync(
        Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * What `ask_later` does, by the bare address in the configuration.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Value> askByHandLaterAsync(Value request, CallOptions options) {
    return this.askByHandLater.callAsync(Objects.requireNonNull(request, "request"), options);
  }
}

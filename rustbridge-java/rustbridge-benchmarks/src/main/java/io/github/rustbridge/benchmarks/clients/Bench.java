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
 * <p>Not here, since they have no types, or streams of objects: {@code count}, {@code ticks},
 * {@code callback}.
 */
public final class Bench extends TypedClient {
  private static final String CONTRACT =
      String.join(
          "",
          "{\"methods\":[{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,",
          "\"index\":1,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"r",
          "equest\":{\"type\":\"unit\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"void\"},{\"",
          "entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":13,\"it",
          "ems\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":",
          "{\"type\":{\"ref\":1}},\"response\":{\"type\":{\"ref\":2}}}],\"name\":\"div\"},{\"entr",
          "ies\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":20,\"items",
          "\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"",
          "type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"get_answer\"},{\"",
          "entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":27,\"it",
          "ems\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":",
          "{\"type\":{\"ref\":4}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"join\"},{\"ent",
          "ries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":34,\"items",
          "\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"",
          "type\":{\"ref\":6}},\"response\":{\"type\":{\"ref\":6}}}],\"name\":\"any\"},{\"entries",
          "\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":41,\"items\":nu",
          "ll,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"re",
          "f\":7}},\"response\":{\"type\":\"f64\"}}],\"name\":\"divide\"},{\"entries\":[{\"argume",
          "nts\":false,\"encoding\":\"wire\",\"error\":null,\"index\":48,\"items\":null,\"kind\":",
          "\"unary\",\"parameter\":\"question\",\"receiver\":\"\",\"request\":{\"type\":\"i32\"},",
          "\"response\":{\"type\":\"i32\"}}],\"name\":\"answer_to\"},{\"entries\":[{\"arguments\"",
          ":false,\"encoding\":\"wire\",\"error\":null,\"index\":55,\"items\":null,\"kind\":\"una",
          "ry\",\"parameter\":\"parts\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"strin",
          "g\"}},\"response\":{\"type\":\"string\"}}],\"name\":\"join_texts\"},{\"entries\":[{\"a",
          "rguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":62,\"items\":null,\"ki",
          "nd\":\"unary\",\"parameter\":\"numbers\",\"receiver\":\"\",\"request\":{\"type\":{\"li",
          "st\":\"i64\"}},\"response\":{\"type\":\"i64\"}}],\"name\":\"add_up\"},{\"entries\":[{",
          "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":69,\"items\":null,",
          "\"kind\":\"unary\",\"parameter\":\"person\",\"receiver\":\"\",\"request\":{\"type\":{",
          "\"ref\":8}},\"response\":{\"type\":{\"ref\":9}}}],\"name\":\"greet\"},{\"entries\":[{",
          "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":76,\"items\":null,",
          "\"kind\":\"unary\",\"parameter\":\"reading\",\"receiver\":\"\",\"request\":{\"type\":{",
          "\"ref\":10}},\"response\":{\"type\":{\"ref\":10}}}],\"name\":\"next_reading\"},{\"entr",
          "ies\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":83,\"items",
          "\":null,\"kind\":\"unary\",\"parameter\":\"items\",\"receiver\":\"\",\"request\":{\"ty",
          "pe\":{\"list\":{\"ref\":11}}},\"response\":{\"type\":{\"list\":{\"ref\":11}}}}],\"name",
          "\":\"discount\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":nu",
          "ll,\"index\":90,\"items\":null,\"kind\":\"unary\",\"parameter\":\"shape\",\"receiver\"",
          ":\"\",\"request\":{\"type\":{\"ref\":12}},\"response\":{\"type\":{\"ref\":12}}}],\"nam",
          "e\":\"around\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":nul",
          "l,\"index\":97,\"items\":null,\"kind\":\"unary\",\"parameter\":\"numbers\",\"receiver",
          "\":\"\",\"request\":{\"type\":{\"list\":\"f64\"}},\"response\":{\"type\":{\"list\":\"f",
          "64\"}}}],\"name\":\"twice\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",",
          "\"error\":null,\"index\":99,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request",
          "\",\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"",
          "}}],\"name\":\"sum\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error",
          "\":null,\"index\":106,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"re",
          "ceiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"n",
          "ame\":\"numbers\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":n",
          "ull,\"index\":113,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiv",
          "er\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"name",
          "\":\"echo_bytes\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":n",
          "ull,\"index\":120,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiv",
          "er\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"name",
          "\":\"get_blob\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":nu",
          "ll,\"index\":132,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"",
          "\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"g",
          "et_structs\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":139,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\"",
          ":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name",
          "\":\"plain\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":146,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\"",
          ":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name",
          "\":\"ready\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":153,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\"",
          ":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name",
          "\":\"later\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,",
          "\"index\":155,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",",
          "\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"never\"}",
          ",{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":176,",
          "\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"",
          "type\":\"unit\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"adder\"},{\"entries\":",
          "[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":183,\"items\":null",
          ",\"kind\":\"unary\",\"parameter\":\"name\",\"receiver\":\"\",\"request\":{\"type\":\"s",
          "tring\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"some_class\"},{\"entries\":[{",
          "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":195,\"items\":null,",
          "\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{",
          "\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask\"},{\"entries\":[{\"a",
          "rguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"k",
          "ind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"r",
          "ef\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_later\"},{\"entries\":[{",
          "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":216,\"items\":null,",
          "\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{",
          "\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand\"},{\"entries",
          "\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":223,\"items\":",
          "null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"typ",
          "e\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand_later\"}",
          ",{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":230",
          ",\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"Adder\",\"",
          "request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"Adde",
          "r.add\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"inde",
          "x\":232,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"SomeClass",
          "\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"string\"}}],\"name\":\"Som",
          "eClass.greet\"}],\"name\":\"bench\",\"types\":[{\"name\":\"BenchConfig\",\"record\":[{",
          "\"default\":true,\"name\":\"upcall\",\"type\":\"u64\"}]},{\"name\":\"Division\",\"pod",
          "\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"",
          "Quotient\",\"pod\":[{\"name\":\"quotient\",\"type\":\"f64\"}]},{\"name\":\"Value\",\"p",
          "od\":[{\"name\":\"value\",\"type\":\"i32\"}]},{\"name\":\"Parts\",\"record\":[{\"name",
          "\":\"parts\",\"type\":{\"list\":\"string\"}}]},{\"name\":\"Joined\",\"record\":[{\"nam",
          "e\":\"text\",\"type\":\"string\"}]},{\"name\":\"Values\",\"record\":[{\"name\":\"value",
          "s\",\"type\":{\"list\":\"any\"}}]},{\"name\":\"DivideParameters\",\"record\":[{\"name",
          "\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Person\",\"",
          "record\":[{\"name\":\"name\",\"type\":\"string\"}]},{\"name\":\"Greeting\",\"record\":",
          "[{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Reading\",\"record\":[{\"name\"",
          ":\"instrument\",\"type\":\"u32\"},{\"name\":\"at\",\"type\":\"i64\"},{\"name\":\"low\"",
          ",\"type\":\"f64\"},{\"name\":\"high\",\"type\":\"f64\"},{\"name\":\"weight\",\"type\":",
          "\"f32\"},{\"name\":\"count\",\"type\":\"u16\"}]},{\"name\":\"Item\",\"record\":[{\"nam",
          "e\":\"number\",\"type\":\"u32\"},{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"p",
          "rice\",\"type\":\"f64\"}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name\":\"radius\",",
          "\"type\":\"f64\"}],\"name\":\"Circle\"},{\"fields\":[{\"name\":\"width\",\"type\":\"f6",
          "4\"},{\"name\":\"height\",\"type\":\"f64\"}],\"name\":\"Rectangle\"},{\"fields\":[{\"n",
          "ame\":\"text\",\"type\":\"string\"}],\"name\":\"Label\"}]},\"name\":\"Shape\"},{\"name",
          "\":\"Students\",\"record\":[{\"name\":\"students\",\"type\":{\"list\":{\"ref\":14}}}]}",
          ",{\"name\":\"Student\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":",
          "\"friends\",\"type\":\"i32\"},{\"name\":\"home\",\"type\":{\"ref\":15}},{\"name\":\"bi",
          "rth\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref\":16}},{\"name\":\"sub",
          "jects\",\"type\":{\"list\":{\"ref\":17}}},{\"name\":\"emails\",\"type\":{\"list\":\"st",
          "ring\"}},{\"name\":\"schools\",\"type\":{\"list\":{\"ref\":18}}}]},{\"name\":\"Address",
          "\",\"record\":[{\"name\":\"city\",\"type\":\"string\"},{\"name\":\"zip\",\"type\":\"i3",
          "2\"},{\"name\":\"street\",\"type\":\"string\"},{\"name\":\"number\",\"type\":\"i16\"}]",
          "},{\"name\":\"Date\",\"record\":[{\"name\":\"year\",\"type\":\"i32\"},{\"name\":\"mont",
          "h\",\"type\":\"i32\"},{\"name\":\"day\",\"type\":\"i32\"}]},{\"name\":\"Subject\",\"re",
          "cord\":[{\"name\":\"id\",\"type\":\"i32\"},{\"name\":\"title\",\"type\":\"string\"},{",
          "\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"School\",\"record\":[{\"name\":\"",
          "name\",\"type\":\"string\"},{\"name\":\"address\",\"type\":{\"ref\":15}},{\"name\":\"d",
          "ate\",\"type\":{\"ref\":16}},{\"name\":\"emails\",\"type\":{\"list\":\"string\"}}]}],",
          "\"version\":\"0.1.0\"}");

  private final TypedMethod<Void, Void> void_;
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
  private final TypedMethod<byte[], byte[]> sum;
  private final TypedMethod<byte[], byte[]> numbers;
  private final TypedMethod<byte[], byte[]> echoBytes;
  private final TypedMethod<byte[], byte[]> getBlob;
  private final TypedMethod<Void, Students> getStructs;
  private final TypedMethod<Value, Value> plain;
  private final TypedMethod<Value, Value> ready;
  private final TypedMethod<Value, Value> later;
  private final TypedMethod<Void, Void> never;
  private final TypedMethod<Void, byte[]> adder;
  private final TypedMethod<String, byte[]> someClass;
  private final TypedMethod<Value, Value> ask;
  private final TypedMethod<Value, Value> askLater;
  private final TypedMethod<Value, Value> askByHand;
  private final TypedMethod<Value, Value> askByHandLater;
  final TypedMethod<Value, Value> adder__add;
  final TypedMethod<Void, String> someClass__greet;

  private Bench(Plugin plugin, boolean owned) {
    super(plugin, owned);
    this.void_ =
        method(
            "void", "5daf951a6eb331f36b3eaa130b47e405", CONTRACT, (out, value) -> {}, in -> null);
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
    this.sum =
        method(
            "sum",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            (out, value) -> out.bytes(value, value.length, "request"),
            in -> in.rest());
    this.numbers =
        method(
            "numbers",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            (out, value) -> out.bytes(value, value.length, "request"),
            in -> in.rest());
    this.echoBytes =
        method(
            "echo_bytes",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            (out, value) -> out.bytes(value, value.length, "request"),
            in -> in.rest());
    this.getBlob =
        method(
            "get_blob",
            "b1affe665f93447761c2c003f4aaec26",
            CONTRACT,
            (out, value) -> out.bytes(value, value.length, "request"),
            in -> in.rest());
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
    this.never =
        method(
            "never", "5daf951a6eb331f36b3eaa130b47e405", CONTRACT, (out, value) -> {}, in -> null);
    this.adder =
        method(
            "adder",
            "aaee54f20060ca765edf811e8ff746d2",
            CONTRACT,
            (out, value) -> {},
            in -> in.rest());
    this.someClass =
        method(
            "some_class",
            "dd541130f82a84c26844095adfda7f83",
            CONTRACT,
            (out, value) -> out.rawString(value, "request"),
            in -> in.rest());
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
    this.someClass__greet =
        objectMethod(
            "SomeClass.greet",
            "5e485a7203436d952f7fc6700ce6522d",
            CONTRACT,
            (out, value) -> {},
            in -> in.restString());
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

  /** Does nothing. */
  public void void_() {
    this.void_.call(null);
  }

  /**
   * Does nothing.
   *
   * @param options what the call carries besides
   */
  public void void_(CallOptions options) {
    this.void_.call(null, options);
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
   * @param question the request
   * @return the response
   */
  public int answerTo(int question) {
    return this.answerTo.call(question);
  }

  /**
   * The same answer as `get_answer`, from a number to a number.
   *
   * @param question the request
   * @param options what the call carries besides
   * @return the response
   */
  public int answerTo(int question, CallOptions options) {
    return this.answerTo.call(question, options);
  }

  /**
   * Joins texts by commas, from a list to a text.
   *
   * @param parts the request
   * @return the response
   */
  public String joinTexts(List<String> parts) {
    return this.joinTexts.call(Objects.requireNonNull(parts, "parts"));
  }

  /**
   * Joins texts by commas, from a list to a text.
   *
   * @param parts the request
   * @param options what the call carries besides
   * @return the response
   */
  public String joinTexts(List<String> parts, CallOptions options) {
    return this.joinTexts.call(Objects.requireNonNull(parts, "parts"), options);
  }

  /**
   * Adds numbers up, wrapping, from a list to a number.
   *
   * @param numbers the request
   * @return the response
   */
  public long addUp(long[] numbers) {
    return this.addUp.call(Objects.requireNonNull(numbers, "numbers"));
  }

  /**
   * Adds numbers up, wrapping, from a list to a number.
   *
   * @param numbers the request
   * @param options what the call carries besides
   * @return the response
   */
  public long addUp(long[] numbers, CallOptions options) {
    return this.addUp.call(Objects.requireNonNull(numbers, "numbers"), options);
  }

  /**
   * Greets somebody: a text in a record, there and back.
   *
   * @param person the request
   * @return the response
   */
  public Greeting greet(Person person) {
    return this.greet.call(Objects.requireNonNull(person, "person"));
  }

  /**
   * Greets somebody: a text in a record, there and back.
   *
   * @param person the request
   * @param options what the call carries besides
   * @return the response
   */
  public Greeting greet(Person person, CallOptions options) {
    return this.greet.call(Objects.requireNonNull(person, "person"), options);
  }

  /**
   * Gives the reading that would follow: a record of numbers, there and back.
   *
   * @param reading the request
   * @return the response
   */
  public Reading nextReading(Reading reading) {
    return this.nextReading.call(Objects.requireNonNull(reading, "reading"));
  }

  /**
   * Gives the reading that would follow: a record of numbers, there and back.
   *
   * @param reading the request
   * @param options what the call carries besides
   * @return the response
   */
  public Reading nextReading(Reading reading, CallOptions options) {
    return this.nextReading.call(Objects.requireNonNull(reading, "reading"), options);
  }

  /**
   * Makes every second item half as dear: a list of records, there and back.
   *
   * @param items_ the request
   * @return the response
   */
  public List<Item> discount(List<Item> items_) {
    return this.discount.call(Objects.requireNonNull(items_, "items_"));
  }

  /**
   * Makes every second item half as dear: a list of records, there and back.
   *
   * @param items_ the request
   * @param options what the call carries besides
   * @return the response
   */
  public List<Item> discount(List<Item> items_, CallOptions options) {
    return this.discount.call(Objects.requireNonNull(items_, "items_"), options);
  }

  /**
   * Gives the shape around another: an enum with data, there and back.
   *
   * @param shape the request
   * @return the response
   */
  public Shape around(Shape shape) {
    return this.around.call(Objects.requireNonNull(shape, "shape"));
  }

  /**
   * Gives the shape around another: an enum with data, there and back.
   *
   * @param shape the request
   * @param options what the call carries besides
   * @return the response
   */
  public Shape around(Shape shape, CallOptions options) {
    return this.around.call(Objects.requireNonNull(shape, "shape"), options);
  }

  /**
   * Doubles numbers: a list of them, there and back.
   *
   * @param numbers the request
   * @return the response
   */
  public double[] twice(double[] numbers) {
    return this.twice.call(Objects.requireNonNull(numbers, "numbers"));
  }

  /**
   * Doubles numbers: a list of them, there and back.
   *
   * @param numbers the request
   * @param options what the call carries besides
   * @return the response
   */
  public double[] twice(double[] numbers, CallOptions options) {
    return this.twice.call(Objects.requireNonNull(numbers, "numbers"), options);
  }

  /**
   * Adds packed little-endian `i64` up, wrapping; the answer is one of them.
   *
   * @param request the request
   * @return the response
   */
  public byte[] sum(byte[] request) {
    return this.sum.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Adds packed little-endian `i64` up, wrapping; the answer is one of them.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] sum(byte[] request, CallOptions options) {
    return this.sum.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1.
   *
   * @param request the request
   * @return the response
   */
  public byte[] numbers(byte[] request) {
    return this.numbers.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] numbers(byte[] request, CallOptions options) {
    return this.numbers.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Answers with the bytes it was sent.
   *
   * @param request the request
   * @return the response
   */
  public byte[] echoBytes(byte[] request) {
    return this.echoBytes.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Answers with the bytes it was sent.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] echoBytes(byte[] request, CallOptions options) {
    return this.echoBytes.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache
   * that all answers share.
   *
   * @param request the request
   * @return the response
   */
  public byte[] getBlob(byte[] request) {
    return this.getBlob.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache
   * that all answers share.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] getBlob(byte[] request, CallOptions options) {
    return this.getBlob.call(Objects.requireNonNull(request, "request"), options);
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

  /** Never ends by itself. */
  public void never() {
    this.never.call(null);
  }

  /**
   * Never ends by itself.
   *
   * @param options what the call carries besides
   */
  public void never(CallOptions options) {
    this.never.call(null, options);
  }

  /**
   * An object that adds 41.
   *
   * @return the response
   */
  public byte[] adder() {
    return this.adder.call(null);
  }

  /**
   * An object that adds 41.
   *
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] adder(CallOptions options) {
    return this.adder.call(null, options);
  }

  /**
   * MetaFFI's object.
   *
   * @param name the request
   * @return the response
   */
  public byte[] someClass(String name) {
    return this.someClass.call(Objects.requireNonNull(name, "name"));
  }

  /**
   * MetaFFI's object.
   *
   * @param name the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] someClass(String name, CallOptions options) {
    return this.someClass.call(Objects.requireNonNull(name, "name"), options);
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
   * Never ends by itself.
   *
   * @return the response, when it's there
   */
  public CompletableFuture<Void> neverAsync() {
    return this.never.callAsync(null, CallOptions.defaults());
  }

  /**
   * Never ends by itself.
   *
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Void> neverAsync(CallOptions options) {
    return this.never.callAsync(null, options);
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

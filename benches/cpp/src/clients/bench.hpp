// Written by 'rustbridge gen -l cpp' of the plugin 'bench': write it anew by that, not by hand.
// clang-format off
#pragma once

#include "rustbridge_typed.hpp"

namespace bench {

namespace detail {
struct Methods;
}  // namespace detail

class Adder;
class SomeClass;
struct Division;
struct Quotient;
struct Value;
struct Parts;
struct Joined;
struct Values;
struct Person;
struct Greeting;
struct Reading;
struct Item;
struct Shape;
struct Address;
struct Date;
struct Subject;
struct School;
struct Student;
struct Students;

/// A `Adder`, which stays in the plugin until this goes. It can be moved, not copied. Several threads may call it
/// at once.
class Adder : public rustbridge::TypedObject<detail::Methods> {
 public:
  using TypedObject::TypedObject;

  /// Adds.
  Value add(const Value& request, const rustbridge::CallOptions& options = {}) const;
};

/// A `SomeClass`, which stays in the plugin until this goes. It can be moved, not copied. Several threads may call it
/// at once.
class SomeClass : public rustbridge::TypedObject<detail::Methods> {
 public:
  using TypedObject::TypedObject;

  /// Greets.
  std::string greet(const rustbridge::CallOptions& options = {}) const;
};

/// Two numbers to divide.
struct Division {
  /// What is divided.
  std::int64_t a{};
  /// By what.
  std::int64_t b{};

  friend bool operator==(const Division&, const Division&) = default;
};
static_assert(sizeof(Division) == 16, "it lies in memory as it crosses");

/// A quotient.
struct Quotient {
  /// The quotient.
  double quotient{};

  friend bool operator==(const Quotient&, const Quotient&) = default;
};
static_assert(sizeof(Quotient) == 8, "it lies in memory as it crosses");

/// A question, and its answer.
struct Value {
  /// The number.
  std::int32_t value{};

  friend bool operator==(const Value&, const Value&) = default;
};
static_assert(sizeof(Value) == 4, "it lies in memory as it crosses");

/// Texts to join.
struct Parts {
  /// The texts.
  std::vector<std::string> parts{};

  friend bool operator==(const Parts&, const Parts&) = default;
};

/// Joined texts.
struct Joined {
  /// All of them.
  std::string text{};

  friend bool operator==(const Joined&, const Joined&) = default;
};

/// A list of values whose types only the values themselves know.
struct Values {
  /// The values.
  std::vector<rustbridge::Dynamic> values{};

  friend bool operator==(const Values&, const Values&) = default;
};

/// Somebody to greet.
struct Person {
  /// What they're called.
  std::string name{};

  friend bool operator==(const Person&, const Person&) = default;
};

/// How somebody is greeted.
struct Greeting {
  /// What is said.
  std::string text{};

  friend bool operator==(const Greeting&, const Greeting&) = default;
};

/// What an instrument has measured: numbers of different widths.
struct Reading {
  /// Which instrument it was.
  std::uint32_t instrument{};
  /// When, in seconds.
  std::int64_t at{};
  /// The least.
  double low{};
  /// The most.
  double high{};
  /// How much it counts.
  float weight{};
  /// How often it was measured.
  std::uint16_t count{};

  friend bool operator==(const Reading&, const Reading&) = default;
};

/// Something that's sold.
struct Item {
  /// Which one it is.
  std::uint32_t number{};
  /// What it's called.
  std::string name{};
  /// What it costs.
  double price{};

  friend bool operator==(const Item&, const Item&) = default;
};

/// Round.
struct ShapeCircle {
  /// From the middle to the line.
  double radius{};

  friend bool operator==(const ShapeCircle&, const ShapeCircle&) = default;
};

/// With four corners.
struct ShapeRectangle {
  /// From left to right.
  double width{};
  /// From top to bottom.
  double height{};

  friend bool operator==(const ShapeRectangle&, const ShapeRectangle&) = default;
};

/// Text.
struct ShapeLabel {
  /// What it says.
  std::string text{};

  friend bool operator==(const ShapeLabel&, const ShapeLabel&) = default;
};

/// Something that can be drawn.
struct Shape : rustbridge::OneOf<ShapeCircle, ShapeRectangle, ShapeLabel> {
  using Circle = ShapeCircle;
  using Rectangle = ShapeRectangle;
  using Label = ShapeLabel;

  using OneOf::OneOf;
};

/// A place.
struct Address {
  /// 12 characters.
  std::string city{};
  /// From 5000 to 7999.
  std::int32_t zip{};
  /// 16 characters.
  std::string street{};
  /// From 1 to 125.
  std::int16_t number{};

  friend bool operator==(const Address&, const Address&) = default;
};

/// A day.
struct Date {
  /// From 1900 to 1929.
  std::int32_t year{};
  /// From 1 to 12.
  std::int32_t month{};
  /// From 1 to 30.
  std::int32_t day{};

  friend bool operator==(const Date&, const Date&) = default;
};

/// What is taught.
struct Subject {
  /// From 0 to 28344.
  std::int32_t id{};
  /// 22 characters.
  std::string title{};
  /// 16 characters.
  std::string text{};

  friend bool operator==(const Subject&, const Subject&) = default;
};

/// A school.
struct School {
  /// 36 characters.
  std::string name{};
  /// Where it is.
  Address address{};
  /// Since when it has been there.
  Date date{};
  /// 34 of 37 characters.
  std::vector<std::string> emails{};

  friend bool operator==(const School&, const School&) = default;
};

/// A student.
struct Student {
  /// 43 characters.
  std::string name{};
  /// From 0 to 599.
  std::int32_t friends{};
  /// Where the student lives.
  Address home{};
  /// Where the student was born.
  Address birth{};
  /// When the student was born.
  Date date{};
  /// 34 of them.
  std::vector<Subject> subjects{};
  /// 34 of 37 characters.
  std::vector<std::string> emails{};
  /// 34 of them.
  std::vector<School> schools{};

  friend bool operator==(const Student&, const Student&) = default;
};

/// All students.
struct Students {
  /// 34 of them.
  std::vector<Student> students{};

  friend bool operator==(const Students&, const Students&) = default;
};

}  // namespace bench

namespace rustbridge::wire {

template <>
struct Codec<::bench::Adder> : Lent<::bench::Adder, ::bench::detail::Methods> {};

template <>
struct Codec<::bench::SomeClass> : Lent<::bench::SomeClass, ::bench::detail::Methods> {};

template <>
struct Codec<::bench::Division> : Pod<::bench::Division> {};

template <>
struct Codec<::bench::Quotient> : Pod<::bench::Quotient> {};

template <>
struct Codec<::bench::Value> : Pod<::bench::Value> {};

template <>
struct Codec<::bench::Parts> : Record<::bench::Parts, 4, Size::varies, Field<"parts", &::bench::Parts::parts>> {};

template <>
struct Codec<::bench::Joined> : Record<::bench::Joined, 4, Size::varies, Field<"text", &::bench::Joined::text>> {};

template <>
struct Codec<::bench::Values> : Record<::bench::Values, 4, Size::varies, Field<"values", &::bench::Values::values>> {};

template <>
struct Codec<::bench::Person> : Record<::bench::Person, 4, Size::varies, Field<"name", &::bench::Person::name>> {};

template <>
struct Codec<::bench::Greeting>
    : Record<::bench::Greeting, 4, Size::varies, Field<"text", &::bench::Greeting::text>> {};

template <>
struct Codec<::bench::Reading>
    : Record<
        ::bench::Reading,
        34,
        Size::fixed,
        Field<"instrument", &::bench::Reading::instrument>,
        Field<"at", &::bench::Reading::at>,
        Field<"low", &::bench::Reading::low>,
        Field<"high", &::bench::Reading::high>,
        Field<"weight", &::bench::Reading::weight>,
        Field<"count", &::bench::Reading::count>> {};

template <>
struct Codec<::bench::Item>
    : Record<
        ::bench::Item,
        16,
        Size::varies,
        Field<"number", &::bench::Item::number>,
        Field<"name", &::bench::Item::name>,
        Field<"price", &::bench::Item::price>> {};

template <>
struct Codec<::bench::ShapeCircle> : Variant<::bench::ShapeCircle, Field<"radius", &::bench::ShapeCircle::radius>> {};

template <>
struct Codec<::bench::ShapeRectangle>
    : Variant<
        ::bench::ShapeRectangle,
        Field<"width", &::bench::ShapeRectangle::width>,
        Field<"height", &::bench::ShapeRectangle::height>> {};

template <>
struct Codec<::bench::ShapeLabel> : Variant<::bench::ShapeLabel, Field<"text", &::bench::ShapeLabel::text>> {};

template <>
struct Codec<::bench::Shape> : Enum<::bench::Shape, 2, Size::varies> {};

template <>
struct Codec<::bench::Address>
    : Record<
        ::bench::Address,
        14,
        Size::varies,
        Field<"city", &::bench::Address::city>,
        Field<"zip", &::bench::Address::zip>,
        Field<"street", &::bench::Address::street>,
        Field<"number", &::bench::Address::number>> {};

template <>
struct Codec<::bench::Date>
    : Record<
        ::bench::Date,
        12,
        Size::fixed,
        Field<"year", &::bench::Date::year>,
        Field<"month", &::bench::Date::month>,
        Field<"day", &::bench::Date::day>> {};

template <>
struct Codec<::bench::Subject>
    : Record<
        ::bench::Subject,
        12,
        Size::varies,
        Field<"id", &::bench::Subject::id>,
        Field<"title", &::bench::Subject::title>,
        Field<"text", &::bench::Subject::text>> {};

template <>
struct Codec<::bench::School>
    : Record<
        ::bench::School,
        34,
        Size::varies,
        Field<"name", &::bench::School::name>,
        Field<"address", &::bench::School::address>,
        Field<"date", &::bench::School::date>,
        Field<"emails", &::bench::School::emails>> {};

template <>
struct Codec<::bench::Student>
    : Record<
        ::bench::Student,
        60,
        Size::varies,
        Field<"name", &::bench::Student::name>,
        Field<"friends", &::bench::Student::friends>,
        Field<"home", &::bench::Student::home>,
        Field<"birth", &::bench::Student::birth>,
        Field<"date", &::bench::Student::date>,
        Field<"subjects", &::bench::Student::subjects>,
        Field<"emails", &::bench::Student::emails>,
        Field<"schools", &::bench::Student::schools>> {};

template <>
struct Codec<::bench::Students>
    : Record<::bench::Students, 4, Size::varies, Field<"students", &::bench::Students::students>> {};

}  // namespace rustbridge::wire

namespace bench {

namespace detail {

/// What the client was written from, to be compared with the plugin.
inline constexpr std::string_view contract =
    "{\"methods\":[{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\""
    ":1,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"u"
    "nit\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"void\"},{\"entries\":[{\"arguments\":false"
    ",\"encoding\":\"wire\",\"error\":null,\"index\":13,\"items\":null,\"kind\":\"unary\",\"paramete"
    "r\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1}},\"response\":{\"type\":{\"ref"
    "\":2}}}],\"name\":\"div\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":n"
    "ull,\"index\":20,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\""
    "request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"get_answer\"}"
    ",{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":27,\"items"
    "\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"re"
    "f\":4}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"join\"},{\"entries\":[{\"arguments\":f"
    "alse,\"encoding\":\"wire\",\"error\":null,\"index\":34,\"items\":null,\"kind\":\"unary\",\"para"
    "meter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":6}},\"response\":{\"type\":{"
    "\"ref\":6}}}],\"name\":\"any\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error"
    "\":null,\"index\":41,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"requ"
    "est\":{\"type\":{\"ref\":7}},\"response\":{\"type\":\"f64\"}}],\"name\":\"divide\"},{\"entries\":"
    "[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":48,\"items\":null,\"kind"
    "\":\"unary\",\"parameter\":\"question\",\"receiver\":\"\",\"request\":{\"type\":\"i32\"},\"respons"
    "e\":{\"type\":\"i32\"}}],\"name\":\"answer_to\"},{\"entries\":[{\"arguments\":false,\"encoding"
    "\":\"wire\",\"error\":null,\"index\":55,\"items\":null,\"kind\":\"unary\",\"parameter\":\"parts\""
    ",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"string\"}},\"response\":{\"type\":\"string\"}"
    "}],\"name\":\"join_texts\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\""
    ":null,\"index\":62,\"items\":null,\"kind\":\"unary\",\"parameter\":\"numbers\",\"receiver\":\"\""
    ",\"request\":{\"type\":{\"list\":\"i64\"}},\"response\":{\"type\":\"i64\"}}],\"name\":\"add_up\"},"
    "{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":69,\"items\""
    ":null,\"kind\":\"unary\",\"parameter\":\"person\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\""
    ":8}},\"response\":{\"type\":{\"ref\":9}}}],\"name\":\"greet\"},{\"entries\":[{\"arguments\":fa"
    "lse,\"encoding\":\"wire\",\"error\":null,\"index\":76,\"items\":null,\"kind\":\"unary\",\"param"
    "eter\":\"reading\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":10}},\"response\":{\"type\":{"
    "\"ref\":10}}}],\"name\":\"next_reading\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"w"
    "ire\",\"error\":null,\"index\":83,\"items\":null,\"kind\":\"unary\",\"parameter\":\"items\",\"re"
    "ceiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":11}}},\"response\":{\"type\":{\"list\":{\"r"
    "ef\":11}}}}],\"name\":\"discount\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\","
    "\"error\":null,\"index\":90,\"items\":null,\"kind\":\"unary\",\"parameter\":\"shape\",\"receive"
    "r\":\"\",\"request\":{\"type\":{\"ref\":12}},\"response\":{\"type\":{\"ref\":12}}}],\"name\":\"aro"
    "und\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":97,\""
    "items\":null,\"kind\":\"unary\",\"parameter\":\"numbers\",\"receiver\":\"\",\"request\":{\"type\""
    ":{\"list\":\"f64\"}},\"response\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"twice\"},{\"entries\""
    ":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":99,\"items\":null,\"kind"
    "\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"respon"
    "se\":{\"type\":\"bytes\"}}],\"name\":\"sum\"},{\"entries\":[{\"arguments\":false,\"encoding\":\""
    "raw\",\"error\":null,\"index\":106,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\","
    "\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"n"
    "umbers\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":11"
    "3,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"ty"
    "pe\":\"bytes\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"echo_bytes\"},{\"entries\":[{\"ar"
    "guments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":120,\"items\":null,\"kind\":\"un"
    "ary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{"
    "\"type\":\"bytes\"}}],\"name\":\"get_blob\"},{\"entries\":[{\"arguments\":false,\"encoding\":\""
    "wire\",\"error\":null,\"index\":132,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"recei"
    "ver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"get_s"
    "tructs\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":1"
    "39,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"t"
    "ype\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"plain\"},{\"entries\":[{\"ar"
    "guments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":146,\"items\":null,\"kind\":\"u"
    "nary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response"
    "\":{\"type\":{\"ref\":3}}}],\"name\":\"ready\"},{\"entries\":[{\"arguments\":false,\"encoding\""
    ":\"wire\",\"error\":null,\"index\":153,\"items\":null,\"kind\":\"unary\",\"parameter\":\"reques"
    "t\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"n"
    "ame\":\"later\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"inde"
    "x\":155,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type"
    "\":\"unit\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"never\"},{\"entries\":[{\"arguments\":"
    "false,\"encoding\":\"raw\",\"error\":null,\"index\":176,\"items\":null,\"kind\":\"unary\",\"par"
    "ameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"bytes\"}}]"
    ",\"name\":\"adder\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"i"
    "ndex\":183,\"items\":null,\"kind\":\"unary\",\"parameter\":\"name\",\"receiver\":\"\",\"request\""
    ":{\"type\":\"string\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"some_class\"},{\"entries\""
    ":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":195,\"items\":null,\"ki"
    "nd\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"re"
    "sponse\":{\"type\":{\"ref\":3}}}],\"name\":\"ask\"},{\"entries\":[{\"arguments\":false,\"encod"
    "ing\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"kind\":\"unary\",\"parameter\":\"re"
    "quest\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}"
    "],\"name\":\"ask_later\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":n"
    "ull,\"index\":216,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\","
    "\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand"
    "\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":223,\"it"
    "ems\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{"
    "\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"ask_by_hand_later\"},{\"entries\""
    ":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":230,\"items\":null,\"ki"
    "nd\":\"unary\",\"parameter\":\"request\",\"receiver\":\"Adder\",\"request\":{\"type\":{\"ref\":3}"
    "},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"Adder.add\"},{\"entries\":[{\"arguments\":f"
    "alse,\"encoding\":\"raw\",\"error\":null,\"index\":232,\"items\":null,\"kind\":\"unary\",\"para"
    "meter\":\"\",\"receiver\":\"SomeClass\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"s"
    "tring\"}}],\"name\":\"SomeClass.greet\"}],\"name\":\"bench\",\"types\":[{\"name\":\"BenchConfi"
    "g\",\"record\":[{\"default\":true,\"name\":\"upcall\",\"type\":\"u64\"}]},{\"name\":\"Division\","
    "\"pod\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Quotient\","
    "\"pod\":[{\"name\":\"quotient\",\"type\":\"f64\"}]},{\"name\":\"Value\",\"pod\":[{\"name\":\"value\""
    ",\"type\":\"i32\"}]},{\"name\":\"Parts\",\"record\":[{\"name\":\"parts\",\"type\":{\"list\":\"strin"
    "g\"}}]},{\"name\":\"Joined\",\"record\":[{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Val"
    "ues\",\"record\":[{\"name\":\"values\",\"type\":{\"list\":\"any\"}}]},{\"name\":\"DivideParamete"
    "rs\",\"record\":[{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]},{\"name\":\"Per"
    "son\",\"record\":[{\"name\":\"name\",\"type\":\"string\"}]},{\"name\":\"Greeting\",\"record\":[{\""
    "name\":\"text\",\"type\":\"string\"}]},{\"name\":\"Reading\",\"record\":[{\"name\":\"instrument\""
    ",\"type\":\"u32\"},{\"name\":\"at\",\"type\":\"i64\"},{\"name\":\"low\",\"type\":\"f64\"},{\"name\":\"h"
    "igh\",\"type\":\"f64\"},{\"name\":\"weight\",\"type\":\"f32\"},{\"name\":\"count\",\"type\":\"u16\"}]"
    "},{\"name\":\"Item\",\"record\":[{\"name\":\"number\",\"type\":\"u32\"},{\"name\":\"name\",\"type\":"
    "\"string\"},{\"name\":\"price\",\"type\":\"f64\"}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name"
    "\":\"radius\",\"type\":\"f64\"}],\"name\":\"Circle\"},{\"fields\":[{\"name\":\"width\",\"type\":\"f6"
    "4\"},{\"name\":\"height\",\"type\":\"f64\"}],\"name\":\"Rectangle\"},{\"fields\":[{\"name\":\"text"
    "\",\"type\":\"string\"}],\"name\":\"Label\"}]},\"name\":\"Shape\"},{\"name\":\"Students\",\"record"
    "\":[{\"name\":\"students\",\"type\":{\"list\":{\"ref\":14}}}]},{\"name\":\"Student\",\"record\":["
    "{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"friends\",\"type\":\"i32\"},{\"name\":\"home\",\""
    "type\":{\"ref\":15}},{\"name\":\"birth\",\"type\":{\"ref\":15}},{\"name\":\"date\",\"type\":{\"ref"
    "\":16}},{\"name\":\"subjects\",\"type\":{\"list\":{\"ref\":17}}},{\"name\":\"emails\",\"type\":{\""
    "list\":\"string\"}},{\"name\":\"schools\",\"type\":{\"list\":{\"ref\":18}}}]},{\"name\":\"Addres"
    "s\",\"record\":[{\"name\":\"city\",\"type\":\"string\"},{\"name\":\"zip\",\"type\":\"i32\"},{\"name\""
    ":\"street\",\"type\":\"string\"},{\"name\":\"number\",\"type\":\"i16\"}]},{\"name\":\"Date\",\"reco"
    "rd\":[{\"name\":\"year\",\"type\":\"i32\"},{\"name\":\"month\",\"type\":\"i32\"},{\"name\":\"day\",\"t"
    "ype\":\"i32\"}]},{\"name\":\"Subject\",\"record\":[{\"name\":\"id\",\"type\":\"i32\"},{\"name\":\"ti"
    "tle\",\"type\":\"string\"},{\"name\":\"text\",\"type\":\"string\"}]},{\"name\":\"School\",\"record"
    "\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"address\",\"type\":{\"ref\":15}},{\"name\":"
    "\"date\",\"type\":{\"ref\":16}},{\"name\":\"emails\",\"type\":{\"list\":\"string\"}}]}],\"version"
    "\":\"0.1.0\"}";

/// The plugin's methods, prepared.
struct Methods {
  explicit Methods(rb_instance instance) : plugin(instance) {}

  rb_instance plugin;
  rustbridge::TypedMethod<void, rustbridge::Error, rustbridge::RawForm> void_{
      plugin,
      "void",
      "5daf951a6eb331f36b3eaa130b47e405",
      contract};
  rustbridge::TypedMethod<Quotient> div{plugin, "div", "3b827e20b7cc0b275e81da2370021ee9", contract};
  rustbridge::TypedMethod<Value> get_answer{plugin, "get_answer", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<Joined> join{plugin, "join", "cc8f24167851a1fe1bc7a2feb0424ff5", contract};
  rustbridge::TypedMethod<Values> any{plugin, "any", "73dbbb6b5050606ae695478dbc36dc62", contract};
  rustbridge::TypedMethod<double> divide{plugin, "divide", "2cc7b1d070e905f6b0b647a5e592ccc6", contract};
  rustbridge::TypedMethod<std::int32_t> answer_to{plugin, "answer_to", "e1c392b728732e03f914106ed09a4f70", contract};
  rustbridge::TypedMethod<std::string> join_texts{plugin, "join_texts", "3e4245726c7d197143133c7b89dc48b6", contract};
  rustbridge::TypedMethod<std::int64_t> add_up{plugin, "add_up", "bc1781f8cfcb8ee1d446185cffdf997c", contract};
  rustbridge::TypedMethod<Greeting> greet{plugin, "greet", "aa02cc6e002855b5f822eb6fbdc8214a", contract};
  rustbridge::TypedMethod<Reading> next_reading{plugin, "next_reading", "edba43a9b2ee052fb82422657014a174", contract};
  rustbridge::TypedMethod<std::vector<Item>> discount{plugin, "discount", "9778e4774dd23969ea7c1ef2c2c0c11a", contract};
  rustbridge::TypedMethod<Shape> around{plugin, "around", "d59e7b46bacc4ea8f7419b3ab054552d", contract};
  rustbridge::TypedMethod<std::vector<double>> twice{plugin, "twice", "d44b8782b9348016131b260d1783fb49", contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> sum{
      plugin,
      "sum",
      "b1affe665f93447761c2c003f4aaec26",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> numbers{
      plugin,
      "numbers",
      "b1affe665f93447761c2c003f4aaec26",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> echo_bytes{
      plugin,
      "echo_bytes",
      "b1affe665f93447761c2c003f4aaec26",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> get_blob{
      plugin,
      "get_blob",
      "b1affe665f93447761c2c003f4aaec26",
      contract};
  rustbridge::TypedMethod<Students> get_structs{plugin, "get_structs", "88ae0f1203707c7d8bb6c9d73a817b6f", contract};
  rustbridge::TypedMethod<Value> plain{plugin, "plain", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<Value> ready{plugin, "ready", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<Value> later{plugin, "later", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<void, rustbridge::Error, rustbridge::RawForm> never{
      plugin,
      "never",
      "5daf951a6eb331f36b3eaa130b47e405",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> adder{
      plugin,
      "adder",
      "aaee54f20060ca765edf811e8ff746d2",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> some_class{
      plugin,
      "some_class",
      "dd541130f82a84c26844095adfda7f83",
      contract};
  rustbridge::TypedMethod<Value> ask{plugin, "ask", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<Value> ask_later{plugin, "ask_later", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<Value> ask_by_hand{plugin, "ask_by_hand", "f0c2e52034985582f2b6e748ecddfa1d", contract};
  rustbridge::TypedMethod<Value> ask_by_hand_later{
      plugin,
      "ask_by_hand_later",
      "f0c2e52034985582f2b6e748ecddfa1d",
      contract};
  rustbridge::TypedMethod<Value> adder_add{plugin, "Adder.add", "1a15ed3551d301e402e8f59eb5332bdd", contract};
  rustbridge::TypedMethod<std::string, rustbridge::Error, rustbridge::RawForm> some_class_greet{
      plugin,
      "SomeClass.greet",
      "5e485a7203436d952f7fc6700ce6522d",
      contract};
};

}  // namespace detail

/// Methods that are there to be measured.
///
/// It can be moved, not copied. Several threads may call it at once.
///
/// Not here, since they have no types or streams of objects: count, ticks, callback.
class Bench : public rustbridge::TypedClient<detail::Methods> {
 public:
  /// Loads the plugin from a file; it's closed with the client. `rustbridge::Error`: it can't be loaded, or isn't the
  /// plugin that this was written of.
  static Bench load(const std::filesystem::path& path, const rustbridge::Config& config = {}) {
    return Bench(rustbridge::Plugin::load(path, config));
  }

  /// Calls a plugin that is loaded already, which goes on to belong to the caller. `rustbridge::Error`: it isn't the
  /// plugin that this was written of.
  static Bench of(const rustbridge::Plugin& plugin) { return Bench(plugin.handle()); }

  /// Does nothing.
  void void_() const { this->methods().void_.call(std::monostate()); }

  /// Does nothing.
  void void_(const rustbridge::CallOptions& options) const { this->methods().void_.call(std::monostate(), options); }

  /// Divides two integers; the quotient is a double.
  Quotient div(const Division& request) const { return this->methods().div.call(request); }

  /// Divides two integers; the quotient is a double.
  Quotient div(const Division& request, const rustbridge::CallOptions& options) const {
    return this->methods().div.call(request, options);
  }

  /// Adds 41: the answer to 23 is 64.
  Value get_answer(const Value& request) const { return this->methods().get_answer.call(request); }

  /// Adds 41: the answer to 23 is 64.
  Value get_answer(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().get_answer.call(request, options);
  }

  /// Joins texts by commas.
  Joined join(const Parts& request) const { return this->methods().join.call(request); }

  /// Joins texts by commas.
  Joined join(const Parts& request, const rustbridge::CallOptions& options) const {
    return this->methods().join.call(request, options);
  }

  /// Answers with what it was sent, values of any types.
  Values any(const Values& request) const { return this->methods().any.call(request); }

  /// Answers with what it was sent, values of any types.
  Values any(const Values& request, const rustbridge::CallOptions& options) const {
    return this->methods().any.call(request, options);
  }

  /// Divides, as generated clients call it: by the language's own types.
  double divide(std::int64_t a, std::int64_t b) const {
    return this->methods().divide.call(rustbridge::wire::arguments<"a", "b">(a, b));
  }

  /// Divides, as generated clients call it: by the language's own types.
  double divide(std::int64_t a, std::int64_t b, const rustbridge::CallOptions& options) const {
    return this->methods().divide.call(rustbridge::wire::arguments<"a", "b">(a, b), options);
  }

  /// The same answer as `get_answer`, from a number to a number.
  std::int32_t answer_to(std::int32_t question) const { return this->methods().answer_to.call(question); }

  /// The same answer as `get_answer`, from a number to a number.
  std::int32_t answer_to(std::int32_t question, const rustbridge::CallOptions& options) const {
    return this->methods().answer_to.call(question, options);
  }

  /// Joins texts by commas, from a list to a text.
  std::string join_texts(const std::vector<std::string>& parts) const { return this->methods().join_texts.call(parts); }

  /// Joins texts by commas, from a list to a text.
  std::string join_texts(const std::vector<std::string>& parts, const rustbridge::CallOptions& options) const {
    return this->methods().join_texts.call(parts, options);
  }

  /// Adds numbers up, wrapping, from a list to a number.
  std::int64_t add_up(std::span<const std::int64_t> numbers) const { return this->methods().add_up.call(numbers); }

  /// Adds numbers up, wrapping, from a list to a number.
  std::int64_t add_up(std::span<const std::int64_t> numbers, const rustbridge::CallOptions& options) const {
    return this->methods().add_up.call(numbers, options);
  }

  /// Greets somebody: a text in a record, there and back.
  Greeting greet(const Person& person) const { return this->methods().greet.call(person); }

  /// Greets somebody: a text in a record, there and back.
  Greeting greet(const Person& person, const rustbridge::CallOptions& options) const {
    return this->methods().greet.call(person, options);
  }

  /// Gives the reading that would follow: a record of numbers, there and back.
  Reading next_reading(const Reading& reading) const { return this->methods().next_reading.call(reading); }

  /// Gives the reading that would follow: a record of numbers, there and back.
  Reading next_reading(const Reading& reading, const rustbridge::CallOptions& options) const {
    return this->methods().next_reading.call(reading, options);
  }

  /// Makes every second item half as dear: a list of records, there and back.
  std::vector<Item> discount(const std::vector<Item>& items_) const { return this->methods().discount.call(items_); }

  /// Makes every second item half as dear: a list of records, there and back.
  std::vector<Item> discount(const std::vector<Item>& items_, const rustbridge::CallOptions& options) const {
    return this->methods().discount.call(items_, options);
  }

  /// Gives the shape around another: an enum with data, there and back.
  Shape around(const Shape& shape) const { return this->methods().around.call(shape); }

  /// Gives the shape around another: an enum with data, there and back.
  Shape around(const Shape& shape, const rustbridge::CallOptions& options) const {
    return this->methods().around.call(shape, options);
  }

  /// Doubles numbers: a list of them, there and back.
  std::vector<double> twice(std::span<const double> numbers) const { return this->methods().twice.call(numbers); }

  /// Doubles numbers: a list of them, there and back.
  std::vector<double> twice(std::span<const double> numbers, const rustbridge::CallOptions& options) const {
    return this->methods().twice.call(numbers, options);
  }

  /// Adds packed little-endian `i64` up, wrapping; the answer is one of them.
  std::vector<std::byte> sum(std::span<const std::byte> request) const { return this->methods().sum.call(request); }

  /// Adds packed little-endian `i64` up, wrapping; the answer is one of them.
  std::vector<std::byte> sum(std::span<const std::byte> request, const rustbridge::CallOptions& options) const {
    return this->methods().sum.call(request, options);
  }

  /// Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1.
  std::vector<std::byte> numbers(std::span<const std::byte> request) const {
    return this->methods().numbers.call(request);
  }

  /// Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1.
  std::vector<std::byte> numbers(std::span<const std::byte> request, const rustbridge::CallOptions& options) const {
    return this->methods().numbers.call(request, options);
  }

  /// Answers with the bytes it was sent.
  std::vector<std::byte> echo_bytes(std::span<const std::byte> request) const {
    return this->methods().echo_bytes.call(request);
  }

  /// Answers with the bytes it was sent.
  std::vector<std::byte> echo_bytes(std::span<const std::byte> request, const rustbridge::CallOptions& options) const {
    return this->methods().echo_bytes.call(request, options);
  }

  /// Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache that all answers share.
  std::vector<std::byte> get_blob(std::span<const std::byte> request) const {
    return this->methods().get_blob.call(request);
  }

  /// Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache that all answers share.
  std::vector<std::byte> get_blob(std::span<const std::byte> request, const rustbridge::CallOptions& options) const {
    return this->methods().get_blob.call(request, options);
  }

  /// Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
  Students get_structs() const { return this->methods().get_structs.call(std::monostate()); }

  /// Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
  Students get_structs(const rustbridge::CallOptions& options) const {
    return this->methods().get_structs.call(std::monostate(), options);
  }

  /// Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
  Value plain(const Value& request) const { return this->methods().plain.call(request); }

  /// Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
  Value plain(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().plain.call(request, options);
  }

  /// The same in an async handler that never waits.
  Value ready(const Value& request) const { return this->methods().ready.call(request); }

  /// The same in an async handler that never waits.
  Value ready(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().ready.call(request, options);
  }

  /// The same in an async handler that never waits.
  /// Doesn't wait for it.
  std::future<Value> ready_async(const Value& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().ready.call_async(request, options, rustbridge::Beside());
  }

  /// The same in an async handler that never waits.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation ready_async(
      const Value& request,
      std::function<void(rustbridge::Outcome<Value>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().ready.call_async(request, options, rustbridge::Beside(), std::move(done));
  }

  /// The same after it has let others run once.
  Value later(const Value& request) const { return this->methods().later.call(request); }

  /// The same after it has let others run once.
  Value later(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().later.call(request, options);
  }

  /// The same after it has let others run once.
  /// Doesn't wait for it.
  std::future<Value> later_async(const Value& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().later.call_async(request, options, rustbridge::Beside());
  }

  /// The same after it has let others run once.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation later_async(
      const Value& request,
      std::function<void(rustbridge::Outcome<Value>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().later.call_async(request, options, rustbridge::Beside(), std::move(done));
  }

  /// Never ends by itself.
  void never() const { this->methods().never.call(std::monostate()); }

  /// Never ends by itself.
  void never(const rustbridge::CallOptions& options) const { this->methods().never.call(std::monostate(), options); }

  /// Never ends by itself.
  /// Doesn't wait for it.
  std::future<void> never_async(const rustbridge::CallOptions& options = {}) const {
    return this->methods().never.call_async(std::monostate(), options, rustbridge::Beside());
  }

  /// Never ends by itself.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation never_async(
      std::function<void(rustbridge::Outcome<void>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().never.call_async(std::monostate(), options, rustbridge::Beside(), std::move(done));
  }

  /// An object that adds 41.
  std::vector<std::byte> adder() const { return this->methods().adder.call(std::monostate()); }

  /// An object that adds 41.
  std::vector<std::byte> adder(const rustbridge::CallOptions& options) const {
    return this->methods().adder.call(std::monostate(), options);
  }

  /// MetaFFI's object.
  std::vector<std::byte> some_class(std::string_view name) const { return this->methods().some_class.call(name); }

  /// MetaFFI's object.
  std::vector<std::byte> some_class(std::string_view name, const rustbridge::CallOptions& options) const {
    return this->methods().some_class.call(name, options);
  }

  /// Has its host answer, by the service `numbers.answer`.
  Value ask(const Value& request) const { return this->methods().ask.call(request); }

  /// Has its host answer, by the service `numbers.answer`.
  Value ask(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().ask.call(request, options);
  }

  /// The same by the service `numbers.answer_later`, awaited.
  Value ask_later(const Value& request) const { return this->methods().ask_later.call(request); }

  /// The same by the service `numbers.answer_later`, awaited.
  Value ask_later(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().ask_later.call(request, options);
  }

  /// The same by the service `numbers.answer_later`, awaited.
  /// Doesn't wait for it.
  std::future<Value> ask_later_async(const Value& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().ask_later.call_async(request, options, rustbridge::Beside());
  }

  /// The same by the service `numbers.answer_later`, awaited.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation ask_later_async(
      const Value& request,
      std::function<void(rustbridge::Outcome<Value>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().ask_later.call_async(request, options, rustbridge::Beside(), std::move(done));
  }

  /// What `ask` does, by the bare address in the configuration.
  Value ask_by_hand(const Value& request) const { return this->methods().ask_by_hand.call(request); }

  /// What `ask` does, by the bare address in the configuration.
  Value ask_by_hand(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().ask_by_hand.call(request, options);
  }

  /// What `ask_later` does, by the bare address in the configuration.
  Value ask_by_hand_later(const Value& request) const { return this->methods().ask_by_hand_later.call(request); }

  /// What `ask_later` does, by the bare address in the configuration.
  Value ask_by_hand_later(const Value& request, const rustbridge::CallOptions& options) const {
    return this->methods().ask_by_hand_later.call(request, options);
  }

  /// What `ask_later` does, by the bare address in the configuration.
  /// Doesn't wait for it.
  std::future<Value> ask_by_hand_later_async(const Value& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().ask_by_hand_later.call_async(request, options, rustbridge::Beside());
  }

  /// What `ask_later` does, by the bare address in the configuration.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation ask_by_hand_later_async(
      const Value& request,
      std::function<void(rustbridge::Outcome<Value>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().ask_by_hand_later.call_async(request, options, rustbridge::Beside(), std::move(done));
  }

 private:
  using TypedClient::TypedClient;
};

inline Value Adder::add(const Value& request, const rustbridge::CallOptions& options) const {
  return this->methods().adder_add.call(request, options, this->beside());
}

inline std::string SomeClass::greet(const rustbridge::CallOptions& options) const {
  return this->methods().some_class_greet.call(std::monostate(), options, this->beside());
}

}  // namespace bench

// Written by 'rustbridge gen -l cpp' of the plugin 'types': write it anew by that, not by hand.
// clang-format off
#pragma once

#include "rustbridge_typed.hpp"

namespace types {

namespace detail {
struct Methods;
}  // namespace detail

/// Three colours.
enum class Color : std::uint16_t {
  /// Like blood.
  red = 0,
  green = 1,
  dark_blue = 2,
};

/// How somebody is, in ways that may become more.
enum class Mood : std::uint16_t {
  /// At ease.
  calm = 0,
  /// More than that.
  glad = 1,
  /// One that the plugin has and this client doesn't know. It can't be sent.
  unknown = 0xFFFF,
};

/// Whether there's power.
enum class PowerError : std::uint16_t {
  /// There is none.
  out = 0,
};

class Counter;
struct Numbers;
struct Texts;
struct Times;
struct Person;
struct Point;
struct Lists;
struct Pairs;
struct Endpoint;
struct Foreign;
struct PagePerson;
struct PageString;
struct Shape;
struct Tagged;
struct Untagged;
struct Expr;
struct Tree;
struct Sample;
struct Samples;
struct Celsius;
struct Unit;
struct Defaults;
struct RenamedRecord;
struct Every;
struct Event;
struct Bounded;
struct Cut;
struct Piece;
struct SearchError;
struct Refused;
struct Repeat;
struct Counters;
struct Random;
struct Odd;

/// A `Counter`, which stays in the plugin until this goes. It can be moved, not copied. Several threads may call it
/// at once.
class Counter : public rustbridge::TypedObject<detail::Methods> {
 public:
  using TypedObject::TypedObject;

  /// Adds, and gives the sum.
  std::int64_t add(std::int64_t more, const rustbridge::CallOptions& options = {}) const;

  /// The same, from an `async fn`.
  std::int64_t add_later(std::int64_t more, const rustbridge::CallOptions& options = {}) const;

  /// The same, from an `async fn`.
  /// Doesn't wait for it.
  std::future<std::int64_t> add_later_async(std::int64_t more, const rustbridge::CallOptions& options = {}) const;

  /// The same, from an `async fn`.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation add_later_async(
      std::int64_t more,
      std::function<void(rustbridge::Outcome<std::int64_t>)> done,
      const rustbridge::CallOptions& options = {}) const;

  /// Half of what was counted, if that's a number.
  std::int64_t half(const rustbridge::CallOptions& options = {}) const;

  /// Whether it's between two numbers, both included.
  bool within(std::int64_t least, std::int64_t most, const rustbridge::CallOptions& options = {}) const;

  /// What was counted so far.
  std::int64_t get(const rustbridge::CallOptions& options = {}) const;

  /// Adds what another has counted, and gives the sum.
  std::int64_t absorb(const Counter& other, const rustbridge::CallOptions& options = {}) const;

  /// The numbers from there up to before another.
  /// A range of what the plugin sends, to go through once.
  rustbridge::TypedStream<std::int64_t> upto(std::int64_t end, const rustbridge::CallOptions& options = {}) const;

  /// Counts those who are sent.
  /// `items`: a range of what is sent, as fast as the plugin takes it.
  template <std::ranges::input_range Items>
  std::int64_t admit(Items&& items, const rustbridge::CallOptions& options = {}) const;
};

/// A number of each width, and what is written as one.
struct Numbers {
  /// One byte.
  std::uint8_t u8{};
  std::uint16_t u16{};
  std::uint32_t u32{};
  std::uint64_t u64{};
  rustbridge::U128 u128{};
  std::int8_t i8{};
  std::int16_t i16{};
  std::int32_t i32{};
  std::int64_t i64{};
  rustbridge::I128 i128{};
  float f32{};
  double f64{};
  bool bool_{};
  char32_t char_{};
  std::uint64_t size{};
  std::monostate unit{};

  friend bool operator==(const Numbers&, const Numbers&) = default;
};

/// Texts and bytes, each in a form of its own.
struct Texts {
  std::string text{};
  std::string boxed{};
  std::optional<std::vector<std::byte>> maybe_bytes{};
  std::vector<std::byte> bytes{};
  std::optional<std::string> maybe{};

  friend bool operator==(const Texts&, const Texts&) = default;
};

/// Points in time and spans of it.
struct Times {
  rustbridge::Timestamp at{};
  rustbridge::Duration lasts{};
  std::optional<rustbridge::Timestamp> ends{};

  friend bool operator==(const Times&, const Times&) = default;
};

/// Somebody.
struct Person {
  /// What they are called.
  std::string name{};
  /// In years.
  std::uint32_t age{};
  /// Where they can be reached.
  std::optional<std::string> email{};

  friend bool operator==(const Person&, const Person&) = default;
};

/// Plain old data: a list of them is one copy.
struct Point {
  /// To the right.
  double x{};
  /// Upwards.
  double y{};

  friend bool operator==(const Point&, const Point&) = default;
};
static_assert(sizeof(Point) == 16, "it lies in memory as it crosses");

/// Lists, sets and arrays.
struct Lists {
  std::vector<std::byte> bytes{};
  std::vector<std::int8_t> small_{};
  std::vector<std::uint32_t> numbers{};
  std::vector<double> doubles{};
  std::vector<rustbridge::I128> large{};
  std::vector<bool> bools{};
  std::vector<std::string> texts{};
  std::vector<std::vector<std::uint16_t>> nested{};
  std::array<std::uint32_t, 3> fixed{};
  std::array<std::array<double, 2>, 2> matrix{};
  std::array<std::string, 2> names{};
  std::vector<std::uint32_t> set{};
  std::vector<Person> people{};
  std::vector<Point> points{};
  std::vector<std::uint64_t> sizes{};
  std::vector<float> boxes{};
  std::vector<char32_t> chars{};
  std::vector<std::optional<std::uint8_t>> options{};
  std::vector<std::tuple<std::uint8_t, std::uint32_t>> tuples{};

  friend bool operator==(const Lists&, const Lists&) = default;
};

/// Maps by every kind of key.
struct Pairs {
  std::map<std::string, std::uint32_t> by_name{};
  std::map<std::int64_t, std::string> by_number{};
  std::map<char32_t, std::vector<std::byte>> by_char{};
  std::map<Color, Person> by_color{};
  std::map<std::uint16_t, std::optional<float>> hashed{};
  std::map<std::string, std::map<std::uint8_t, bool>> nested{};

  friend bool operator==(const Pairs&, const Pairs&) = default;
};

/// Where something listens.
struct Endpoint {
  /// Four numbers with dots between.
  std::string address{};
  std::uint16_t port{};

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// What other crates have.
struct Foreign {
  rustbridge::Uuid id{};
  std::optional<rustbridge::Uuid> parent{};
  std::map<rustbridge::Uuid, std::string> names{};
  rustbridge::Timestamp made{};
  rustbridge::Duration took{};
  rustbridge::Timestamp seen{};
  std::vector<rustbridge::Duration> waits{};
  std::optional<rustbridge::Timestamp> ends{};
  rustbridge::Duration lasts{};
  Endpoint at{};
  std::map<std::string, std::vector<Endpoint>> others{};

  friend bool operator==(const Foreign&, const Foreign&) = default;
};

/// Some of many.
struct PagePerson {
  /// These.
  std::vector<Person> items{};
  /// How many there are in all.
  std::uint64_t total{};

  friend bool operator==(const PagePerson&, const PagePerson&) = default;
};

/// Some of many.
struct PageString {
  /// These.
  std::vector<std::string> items{};
  /// How many there are in all.
  std::uint64_t total{};

  friend bool operator==(const PageString&, const PageString&) = default;
};

/// No shape.
struct ShapeNothing {
  friend bool operator==(const ShapeNothing&, const ShapeNothing&) = default;
};

/// All points of one distance.
struct ShapeCircle {
  double radius{};

  friend bool operator==(const ShapeCircle&, const ShapeCircle&) = default;
};

/// Points in a row.
struct ShapePolygon {
  std::vector<Point> value{};

  friend bool operator==(const ShapePolygon&, const ShapePolygon&) = default;
};

/// A shape in a plane.
struct Shape : rustbridge::OneOf<ShapeNothing, ShapeCircle, ShapePolygon> {
  using Nothing = ShapeNothing;
  using Circle = ShapeCircle;
  using Polygon = ShapePolygon;

  using OneOf::OneOf;
};

/// `Tagged::started`.
struct TaggedStarted {
  std::uint64_t at_second{};

  friend bool operator==(const TaggedStarted&, const TaggedStarted&) = default;
};

/// `Tagged::moved`.
struct TaggedMoved {
  Point to_place{};
  std::optional<float> how_fast{};

  friend bool operator==(const TaggedMoved&, const TaggedMoved&) = default;
};

/// `Tagged::stopped`.
struct TaggedStopped {
  friend bool operator==(const TaggedStopped&, const TaggedStopped&) = default;
};

/// Known by a field of its own in JSON.
struct Tagged : rustbridge::OneOf<TaggedStarted, TaggedMoved, TaggedStopped> {
  using Started = TaggedStarted;
  using Moved = TaggedMoved;
  using Stopped = TaggedStopped;

  using OneOf::OneOf;
};

/// `Untagged::Number`.
struct UntaggedNumber {
  std::int64_t value{};

  friend bool operator==(const UntaggedNumber&, const UntaggedNumber&) = default;
};

/// `Untagged::Text`.
struct UntaggedText {
  std::string value{};

  friend bool operator==(const UntaggedText&, const UntaggedText&) = default;
};

/// `Untagged::Both`.
struct UntaggedBoth {
  std::int64_t item1{};
  std::string item2{};

  friend bool operator==(const UntaggedBoth&, const UntaggedBoth&) = default;
};

/// Known by what it looks like in JSON.
struct Untagged : rustbridge::OneOf<UntaggedNumber, UntaggedText, UntaggedBoth> {
  using Number = UntaggedNumber;
  using Text = UntaggedText;
  using Both = UntaggedBoth;

  using OneOf::OneOf;
};

/// `Expr::Number`.
struct ExprNumber {
  double value{};

  friend bool operator==(const ExprNumber&, const ExprNumber&) = default;
};

/// `Expr::Negated`.
struct ExprNegated {
  rustbridge::Box<Expr> value{};

  friend bool operator==(const ExprNegated&, const ExprNegated&) = default;
};

/// `Expr::Sum`.
struct ExprSum {
  rustbridge::Box<Expr> item1{};
  rustbridge::Box<Expr> item2{};

  friend bool operator==(const ExprSum&, const ExprSum&) = default;
};

/// `Expr::Call`.
struct ExprCall {
  std::string name{};
  std::vector<Expr> arguments{};

  friend bool operator==(const ExprCall&, const ExprCall&) = default;
};

/// What has itself in it, by an enum.
struct Expr : rustbridge::OneOf<ExprNumber, ExprNegated, ExprSum, ExprCall> {
  using Number = ExprNumber;
  using Negated = ExprNegated;
  using Sum = ExprSum;
  using Call = ExprCall;

  using OneOf::OneOf;
};

/// What has itself in it, by a list.
struct Tree {
  std::string name{};
  std::vector<Tree> children{};

  friend bool operator==(const Tree&, const Tree&) = default;
};

/// Plain old data with smaller fields.
struct Sample {
  std::uint64_t time{};
  float value{};
  std::uint16_t channel{};
  std::array<std::uint8_t, 2> flags{};

  friend bool operator==(const Sample&, const Sample&) = default;
};
static_assert(sizeof(Sample) == 16, "it lies in memory as it crosses");

/// Plain old data alone, in a list, in an array.
struct Samples {
  std::string name{};
  Sample first{};
  std::vector<Sample> all{};
  std::array<Point, 2> pair{};

  friend bool operator==(const Samples&, const Samples&) = default;
};

/// A number with a meaning.
struct Celsius {
  double value{};

  friend bool operator==(const Celsius&, const Celsius&) = default;
};

/// Nothing to say.
struct Unit {
  std::monostate value{};

  friend bool operator==(const Unit&, const Unit&) = default;
};

/// What may be left out.
struct Defaults {
  /// If it's none, it's left to the plugin's default.
  std::optional<std::uint32_t> count{};
  /// If it's none, it's left to the plugin's default.
  std::optional<std::string> name{};
  /// If it's none, it's left to the plugin's default.
  std::optional<std::vector<std::byte>> list{};
  /// If it's none, it's left to the plugin's default.
  std::optional<std::optional<std::uint64_t>> maybe{};

  friend bool operator==(const Defaults&, const Defaults&) = default;
};

/// Names that aren't those of Rust, and a record whose fields JSON has among the others.
struct RenamedRecord {
  std::string first_name{};
  Color type{};
  std::uint8_t class_{};
  Person person{};

  friend bool operator==(const RenamedRecord&, const RenamedRecord&) = default;
};

/// One of each.
struct Every {
  Numbers numbers{};
  Texts texts{};
  Times times{};
  Lists lists{};
  Pairs pairs{};
  Foreign foreign{};
  PagePerson people{};
  PageString words{};
  Color color{};
  Shape shape{};
  Tagged tagged{};
  Untagged untagged{};
  Expr expr{};
  Tree tree{};
  Samples samples{};
  Celsius celsius{};
  Unit unit{};
  Defaults defaults{};
  RenamedRecord renamed{};
  rustbridge::Dynamic any{};
  std::tuple<std::uint8_t, std::string, std::optional<bool>> tuple{};

  friend bool operator==(const Every&, const Every&) = default;
};

/// They have come.
struct EventCame {
  friend bool operator==(const EventCame&, const EventCame&) = default;
};

/// They have met others.
struct EventMet {
  std::vector<Person> others{};
  Mood mood{};

  friend bool operator==(const EventMet&, const EventMet&) = default;
};

/// They have said so.
struct EventSaid {
  std::string value{};

  friend bool operator==(const EventSaid&, const EventSaid&) = default;
};

/// A variant that the plugin has and this client doesn't know. It can't be sent.
struct EventUnknown {
  friend bool operator==(const EventUnknown&, const EventUnknown&) = default;
};

/// What has happened to somebody, of which more may come.
struct Event : rustbridge::OneOf<EventCame, EventMet, EventSaid, EventUnknown> {
  using Came = EventCame;
  using Met = EventMet;
  using Said = EventSaid;
  using Unknown = EventUnknown;

  using OneOf::OneOf;
};

/// What is checked when it's read.
struct Bounded {
  std::uint8_t share{};
  std::vector<std::byte> all{};

  friend bool operator==(const Bounded&, const Bounded&) = default;
};

/// What is to be done with bytes that come beside it.
struct Cut {
  /// How many at the beginning are left away.
  std::uint32_t skip{};
  /// How often the others come back.
  std::uint32_t times{};

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// What is said of bytes that come back beside it.
struct Piece {
  /// How many there are.
  std::uint64_t length{};
  /// The first of them.
  std::optional<std::uint8_t> first{};

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// There's nobody like that.
struct SearchErrorNobody {
  /// Who was looked for.
  std::string name{};
  /// Those who are called nearly so.
  std::vector<Person> similar{};

  friend bool operator==(const SearchErrorNobody&, const SearchErrorNobody&) = default;
};

/// They are there, and don't want to be found.
struct SearchErrorHidden {
  friend bool operator==(const SearchErrorHidden&, const SearchErrorHidden&) = default;
};

/// There are too many.
struct SearchErrorCrowd {
  std::uint64_t item1{};
  std::vector<double> item2{};

  friend bool operator==(const SearchErrorCrowd&, const SearchErrorCrowd&) = default;
};

/// Why nobody was found.
struct SearchError : rustbridge::OneOf<SearchErrorNobody, SearchErrorHidden, SearchErrorCrowd> {
  using Nobody = SearchErrorNobody;
  using Hidden = SearchErrorHidden;
  using Crowd = SearchErrorCrowd;

  using OneOf::OneOf;
};

/// What isn't to one's taste.
struct Refused {
  /// What it was in.
  Color color{};
  /// What it might be in.
  std::optional<Color> better{};

  friend bool operator==(const Refused&, const Refused&) = default;
};

/// Somebody, and how often.
struct Repeat {
  /// Who comes first.
  Person person{};
  /// How many there are.
  std::uint32_t times{};

  friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// Counters, here and there.
struct Counters {
  /// One that there needn't be.
  std::optional<Counter> first{};
  /// Any number of them.
  std::vector<Counter> others{};
  /// What has nothing to do with them.
  std::string name{};
};

/// Which random value is asked for.
struct Random {
  /// The method that would give it back.
  std::string method{};
  /// The same value for the same seed.
  std::uint64_t seed{};

  friend bool operator==(const Random&, const Random&) = default;
};

/// There's no half of it.
struct Odd {
  /// What was counted.
  std::int64_t count{};

  friend bool operator==(const Odd&, const Odd&) = default;
};

/// Why nobody was found.
class SearchException : public rustbridge::TypedError<SearchError> {
 public:
  using TypedError::TypedError;
};

/// What isn't to one's taste.
class RefusedException : public rustbridge::TypedError<Refused> {
 public:
  using TypedError::TypedError;
};

/// Whether there's power.
class PowerException : public rustbridge::TypedError<PowerError> {
 public:
  using TypedError::TypedError;
};

/// There's no half of it.
class OddException : public rustbridge::TypedError<Odd> {
 public:
  using TypedError::TypedError;
};

}  // namespace types

namespace rustbridge::wire {

template <>
struct Codec<::types::Counter> : Lent<::types::Counter, ::types::detail::Methods> {};

template <>
struct Codec<::types::Numbers>
    : Record<
        ::types::Numbers,
        87,
        Size::fixed,
        Field<"u8", &::types::Numbers::u8>,
        Field<"u16", &::types::Numbers::u16>,
        Field<"u32", &::types::Numbers::u32>,
        Field<"u64", &::types::Numbers::u64>,
        Field<"u128", &::types::Numbers::u128>,
        Field<"i8", &::types::Numbers::i8>,
        Field<"i16", &::types::Numbers::i16>,
        Field<"i32", &::types::Numbers::i32>,
        Field<"i64", &::types::Numbers::i64>,
        Field<"i128", &::types::Numbers::i128>,
        Field<"f32", &::types::Numbers::f32>,
        Field<"f64", &::types::Numbers::f64>,
        Field<"bool", &::types::Numbers::bool_>,
        Field<"char", &::types::Numbers::char_>,
        Field<"size", &::types::Numbers::size>,
        Field<"unit", &::types::Numbers::unit>> {};

template <>
struct Codec<::types::Texts>
    : Record<
        ::types::Texts,
        14,
        Size::varies,
        Field<"text", &::types::Texts::text>,
        Field<"boxed", &::types::Texts::boxed>,
        Field<"maybe_bytes", &::types::Texts::maybe_bytes>,
        Field<"bytes", &::types::Texts::bytes>,
        Field<"maybe", &::types::Texts::maybe>> {};

template <>
struct Codec<::types::Times>
    : Record<
        ::types::Times,
        25,
        Size::varies,
        Field<"at", &::types::Times::at>,
        Field<"lasts", &::types::Times::lasts>,
        Field<"ends", &::types::Times::ends>> {};

template <>
struct Codec<::types::Person>
    : Record<
        ::types::Person,
        9,
        Size::varies,
        Field<"name", &::types::Person::name>,
        Field<"age", &::types::Person::age>,
        Field<"email", &::types::Person::email>> {};

template <>
struct Codec<::types::Point> : Pod<::types::Point> {};

template <>
struct Codec<::types::Lists>
    : Record<
        ::types::Lists,
        116,
        Size::varies,
        Field<"bytes", &::types::Lists::bytes>,
        Field<"small", &::types::Lists::small_>,
        Field<"numbers", &::types::Lists::numbers>,
        Field<"doubles", &::types::Lists::doubles>,
        Field<"large", &::types::Lists::large>,
        Field<"bools", &::types::Lists::bools>,
        Field<"texts", &::types::Lists::texts>,
        Field<"nested", &::types::Lists::nested>,
        Field<"fixed", &::types::Lists::fixed>,
        Field<"matrix", &::types::Lists::matrix>,
        Field<"names", &::types::Lists::names>,
        Field<"set", &::types::Lists::set>,
        Field<"people", &::types::Lists::people>,
        Field<"points", &::types::Lists::points>,
        Field<"sizes", &::types::Lists::sizes>,
        Field<"boxes", &::types::Lists::boxes>,
        Field<"chars", &::types::Lists::chars>,
        Field<"options", &::types::Lists::options>,
        Field<"tuples", &::types::Lists::tuples>> {};

template <>
struct Codec<::types::Color> : Choice<::types::Color, 3> {};

template <>
struct Codec<::types::Pairs>
    : Record<
        ::types::Pairs,
        24,
        Size::varies,
        Field<"by_name", &::types::Pairs::by_name>,
        Field<"by_number", &::types::Pairs::by_number>,
        Field<"by_char", &::types::Pairs::by_char>,
        Field<"by_color", &::types::Pairs::by_color>,
        Field<"hashed", &::types::Pairs::hashed>,
        Field<"nested", &::types::Pairs::nested>> {};

template <>
struct Codec<::types::Endpoint>
    : Record<
        ::types::Endpoint,
        6,
        Size::varies,
        Field<"address", &::types::Endpoint::address>,
        Field<"port", &::types::Endpoint::port>> {};

template <>
struct Codec<::types::Foreign>
    : Record<
        ::types::Foreign,
        84,
        Size::varies,
        Field<"id", &::types::Foreign::id>,
        Field<"parent", &::types::Foreign::parent>,
        Field<"names", &::types::Foreign::names>,
        Field<"made", &::types::Foreign::made>,
        Field<"took", &::types::Foreign::took>,
        Field<"seen", &::types::Foreign::seen>,
        Field<"waits", &::types::Foreign::waits>,
        Field<"ends", &::types::Foreign::ends>,
        Field<"lasts", &::types::Foreign::lasts>,
        Field<"at", &::types::Foreign::at>,
        Field<"others", &::types::Foreign::others>> {};

template <>
struct Codec<::types::PagePerson>
    : Record<
        ::types::PagePerson,
        12,
        Size::varies,
        Field<"items", &::types::PagePerson::items>,
        Field<"total", &::types::PagePerson::total>> {};

template <>
struct Codec<::types::PageString>
    : Record<
        ::types::PageString,
        12,
        Size::varies,
        Field<"items", &::types::PageString::items>,
        Field<"total", &::types::PageString::total>> {};

template <>
struct Codec<::types::ShapeNothing> : Variant<::types::ShapeNothing> {};

template <>
struct Codec<::types::ShapeCircle> : Variant<::types::ShapeCircle, Field<"radius", &::types::ShapeCircle::radius>> {};

template <>
struct Codec<::types::ShapePolygon> : Variant<::types::ShapePolygon, Field<"", &::types::ShapePolygon::value>> {};

template <>
struct Codec<::types::Shape> : Enum<::types::Shape, 2, Size::varies> {};

template <>
struct Codec<::types::TaggedStarted>
    : Variant<::types::TaggedStarted, Field<"atSecond", &::types::TaggedStarted::at_second>> {};

template <>
struct Codec<::types::TaggedMoved>
    : Variant<
        ::types::TaggedMoved,
        Field<"toPlace", &::types::TaggedMoved::to_place>,
        Field<"howFast", &::types::TaggedMoved::how_fast>> {};

template <>
struct Codec<::types::TaggedStopped> : Variant<::types::TaggedStopped> {};

template <>
struct Codec<::types::Tagged> : Enum<::types::Tagged, 2, Size::varies> {};

template <>
struct Codec<::types::UntaggedNumber> : Variant<::types::UntaggedNumber, Field<"", &::types::UntaggedNumber::value>> {};

template <>
struct Codec<::types::UntaggedText> : Variant<::types::UntaggedText, Field<"", &::types::UntaggedText::value>> {};

template <>
struct Codec<::types::UntaggedBoth>
    : Variant<
        ::types::UntaggedBoth,
        Field<"[0]", &::types::UntaggedBoth::item1>,
        Field<"[1]", &::types::UntaggedBoth::item2>> {};

template <>
struct Codec<::types::Untagged> : Enum<::types::Untagged, 2, Size::varies> {};

template <>
struct Codec<::types::ExprNumber> : Variant<::types::ExprNumber, Field<"", &::types::ExprNumber::value>> {};

template <>
struct Codec<::types::ExprNegated> : Variant<::types::ExprNegated, Field<"", &::types::ExprNegated::value>> {};

template <>
struct Codec<::types::ExprSum>
    : Variant<::types::ExprSum, Field<"[0]", &::types::ExprSum::item1>, Field<"[1]", &::types::ExprSum::item2>> {};

template <>
struct Codec<::types::ExprCall>
    : Variant<
        ::types::ExprCall,
        Field<"name", &::types::ExprCall::name>,
        Field<"arguments", &::types::ExprCall::arguments>> {};

template <>
struct Codec<::types::Expr> : Enum<::types::Expr, 2, Size::varies> {};

template <>
struct Codec<::types::Tree>
    : Record<
        ::types::Tree,
        8,
        Size::varies,
        Field<"name", &::types::Tree::name>,
        Field<"children", &::types::Tree::children>> {};

template <>
struct Codec<::types::Sample> : Pod<::types::Sample> {};

template <>
struct Codec<::types::Samples>
    : Record<
        ::types::Samples,
        56,
        Size::varies,
        Field<"name", &::types::Samples::name>,
        Field<"first", &::types::Samples::first>,
        Field<"all", &::types::Samples::all>,
        Field<"pair", &::types::Samples::pair>> {};

template <>
struct Codec<::types::Celsius> : Record<::types::Celsius, 8, Size::fixed, Field<"", &::types::Celsius::value>> {};

template <>
struct Codec<::types::Unit> : Record<::types::Unit, 0, Size::fixed, Field<"", &::types::Unit::value>> {};

template <>
struct Codec<::types::Defaults>
    : Record<
        ::types::Defaults,
        4,
        Size::varies,
        Field<"count", &::types::Defaults::count>,
        Field<"name", &::types::Defaults::name>,
        Field<"list", &::types::Defaults::list>,
        Field<"maybe", &::types::Defaults::maybe>> {};

template <>
struct Codec<::types::RenamedRecord>
    : Record<
        ::types::RenamedRecord,
        16,
        Size::varies,
        Field<"firstName", &::types::RenamedRecord::first_name>,
        Field<"type", &::types::RenamedRecord::type>,
        Field<"class", &::types::RenamedRecord::class_>,
        Field<"person", &::types::RenamedRecord::person>> {};

template <>
struct Codec<::types::Every>
    : Record<
        ::types::Every,
        483,
        Size::varies,
        Field<"numbers", &::types::Every::numbers>,
        Field<"texts", &::types::Every::texts>,
        Field<"times", &::types::Every::times>,
        Field<"lists", &::types::Every::lists>,
        Field<"pairs", &::types::Every::pairs>,
        Field<"foreign", &::types::Every::foreign>,
        Field<"people", &::types::Every::people>,
        Field<"words", &::types::Every::words>,
        Field<"color", &::types::Every::color>,
        Field<"shape", &::types::Every::shape>,
        Field<"tagged", &::types::Every::tagged>,
        Field<"untagged", &::types::Every::untagged>,
        Field<"expr", &::types::Every::expr>,
        Field<"tree", &::types::Every::tree>,
        Field<"samples", &::types::Every::samples>,
        Field<"celsius", &::types::Every::celsius>,
        Field<"unit", &::types::Every::unit>,
        Field<"defaults", &::types::Every::defaults>,
        Field<"renamed", &::types::Every::renamed>,
        Field<"any", &::types::Every::any>,
        Field<"tuple", &::types::Every::tuple>> {};

template <>
struct Codec<::types::Mood> : Choice<::types::Mood, 2, Variants::open> {};

template <>
struct Codec<::types::EventCame> : Variant<::types::EventCame> {};

template <>
struct Codec<::types::EventMet>
    : Variant<
        ::types::EventMet,
        Field<"others", &::types::EventMet::others>,
        Field<"mood", &::types::EventMet::mood>> {};

template <>
struct Codec<::types::EventSaid> : Variant<::types::EventSaid, Field<"", &::types::EventSaid::value>> {};

template <>
struct Codec<::types::Event> : Enum<::types::Event, 2, Size::varies, Variants::open> {};

template <>
struct Codec<::types::Bounded>
    : Record<
        ::types::Bounded,
        5,
        Size::varies,
        Field<"share", &::types::Bounded::share>,
        Field<"all", &::types::Bounded::all>> {};

template <>
struct Codec<::types::Cut>
    : Record<::types::Cut, 8, Size::fixed, Field<"skip", &::types::Cut::skip>, Field<"times", &::types::Cut::times>> {};

template <>
struct Codec<::types::Piece>
    : Record<
        ::types::Piece,
        9,
        Size::varies,
        Field<"length", &::types::Piece::length>,
        Field<"first", &::types::Piece::first>> {};

template <>
struct Codec<::types::SearchErrorNobody>
    : Variant<
        ::types::SearchErrorNobody,
        Field<"name", &::types::SearchErrorNobody::name>,
        Field<"similar", &::types::SearchErrorNobody::similar>> {};

template <>
struct Codec<::types::SearchErrorHidden> : Variant<::types::SearchErrorHidden> {};

template <>
struct Codec<::types::SearchErrorCrowd>
    : Variant<
        ::types::SearchErrorCrowd,
        Field<"[0]", &::types::SearchErrorCrowd::item1>,
        Field<"[1]", &::types::SearchErrorCrowd::item2>> {};

template <>
struct Codec<::types::SearchError> : Enum<::types::SearchError, 2, Size::varies> {};

template <>
struct Codec<::types::Refused>
    : Record<
        ::types::Refused,
        3,
        Size::varies,
        Field<"color", &::types::Refused::color>,
        Field<"better", &::types::Refused::better>> {};

template <>
struct Codec<::types::PowerError> : Choice<::types::PowerError, 1> {};

template <>
struct Codec<::types::Repeat>
    : Record<
        ::types::Repeat,
        13,
        Size::varies,
        Field<"person", &::types::Repeat::person>,
        Field<"times", &::types::Repeat::times>> {};

template <>
struct Codec<::types::Counters>
    : Record<
        ::types::Counters,
        9,
        Size::varies,
        Field<"first", &::types::Counters::first>,
        Field<"others", &::types::Counters::others>,
        Field<"name", &::types::Counters::name>> {};

template <>
struct Codec<::types::Random>
    : Record<
        ::types::Random,
        12,
        Size::varies,
        Field<"method", &::types::Random::method>,
        Field<"seed", &::types::Random::seed>> {};

template <>
struct Codec<::types::Odd> : Record<::types::Odd, 8, Size::fixed, Field<"count", &::types::Odd::count>> {};

}  // namespace rustbridge::wire

namespace types {

namespace detail {

/// What the client was written from, to be compared with the plugin.
inline constexpr std::string_view contract =
    "{\"methods\":[{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index"
    "\":6,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\""
    "type\":{\"ref\":0}},\"response\":{\"type\":{\"ref\":0}}}],\"name\":\"every\"},{\"entries\":[{\"a"
    "rguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":13,\"items\":null,\"kind\":\"u"
    "nary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1}},\"response"
    "\":{\"type\":{\"ref\":1}}}],\"name\":\"numbers\"},{\"entries\":[{\"arguments\":false,\"encodin"
    "g\":\"wire\",\"error\":null,\"index\":20,\"items\":null,\"kind\":\"unary\",\"parameter\":\"reque"
    "st\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":2}},\"response\":{\"type\":{\"ref\":2}}}],\""
    "name\":\"texts\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"in"
    "dex\":27,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request"
    "\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":\"times\"},{\"entries\":"
    "[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":34,\"items\":null,\"kind"
    "\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":4}},\"resp"
    "onse\":{\"type\":{\"ref\":4}}}],\"name\":\"lists\"},{\"entries\":[{\"arguments\":false,\"encod"
    "ing\":\"wire\",\"error\":null,\"index\":41,\"items\":null,\"kind\":\"unary\",\"parameter\":\"req"
    "uest\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":7}},\"response\":{\"type\":{\"ref\":7}}}]"
    ",\"name\":\"pairs\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\""
    "index\":48,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"reque"
    "st\":{\"type\":{\"ref\":5}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"person\"},{\"entrie"
    "s\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":55,\"items\":null,\"k"
    "ind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":11}},\""
    "response\":{\"type\":{\"ref\":11}}}],\"name\":\"people\"},{\"entries\":[{\"arguments\":false,"
    "\"encoding\":\"wire\",\"error\":null,\"index\":62,\"items\":null,\"kind\":\"unary\",\"parameter"
    "\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":13}},\"response\":{\"type\":{\"ref"
    "\":13}}}],\"name\":\"shape\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error"
    "\":null,\"index\":69,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\""
    "\",\"request\":{\"type\":{\"ref\":8}},\"response\":{\"type\":{\"ref\":8}}}],\"name\":\"color\"},{"
    "\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":76,\"items\":"
    "null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\""
    ":24}},\"response\":{\"type\":{\"ref\":24}}}],\"name\":\"mood\"},{\"entries\":[{\"arguments\":f"
    "alse,\"encoding\":\"wire\",\"error\":null,\"index\":83,\"items\":null,\"kind\":\"unary\",\"para"
    "meter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":25}}},\"response\""
    ":{\"type\":{\"list\":{\"ref\":25}}}}],\"name\":\"events\"},{\"entries\":[{\"arguments\":false,"
    "\"encoding\":\"wire\",\"error\":null,\"index\":90,\"items\":null,\"kind\":\"unary\",\"parameter"
    "\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":14}},\"response\":{\"type\":{\"ref"
    "\":14}}}],\"name\":\"tagged\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"erro"
    "r\":null,\"index\":97,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":"
    "\"\",\"request\":{\"type\":{\"ref\":15}},\"response\":{\"type\":{\"ref\":15}}}],\"name\":\"untagg"
    "ed\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":104,\""
    "items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\""
    ":{\"ref\":16}},\"response\":{\"type\":{\"ref\":16}}}],\"name\":\"expr\"},{\"entries\":[{\"argum"
    "ents\":false,\"encoding\":\"wire\",\"error\":null,\"index\":111,\"items\":null,\"kind\":\"unar"
    "y\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":17}},\"response\":"
    "{\"type\":{\"ref\":17}}}],\"name\":\"tree\"},{\"entries\":[{\"arguments\":false,\"encoding\":\""
    "wire\",\"error\":null,\"index\":118,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\""
    ",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":18}},\"response\":{\"type\":{\"ref\":18}}}],\"n"
    "ame\":\"samples\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i"
    "ndex\":125,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"reque"
    "st\":{\"type\":{\"ref\":6}},\"response\":{\"type\":{\"ref\":6}}}],\"name\":\"point\"},{\"entries"
    "\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":132,\"items\":null,\"k"
    "ind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":20}},\""
    "response\":{\"type\":{\"ref\":20}}}],\"name\":\"celsius\"},{\"entries\":[{\"arguments\":false"
    ",\"encoding\":\"wire\",\"error\":null,\"index\":139,\"items\":null,\"kind\":\"unary\",\"paramet"
    "er\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":9}},\"response\":{\"type\":{\"re"
    "f\":9}}}],\"name\":\"foreign\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"err"
    "or\":null,\"index\":146,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver"
    "\":\"\",\"request\":{\"type\":{\"ref\":26}},\"response\":{\"type\":{\"ref\":26}}}],\"name\":\"boun"
    "ded\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":153,"
    "\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type"
    "\":{\"ref\":21}},\"response\":{\"type\":{\"ref\":21}}}],\"name\":\"unit\"},{\"entries\":[{\"argu"
    "ments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":160,\"items\":null,\"kind\":\"una"
    "ry\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":22}},\"response\""
    ":{\"type\":{\"ref\":22}}}],\"name\":\"defaults\"},{\"entries\":[{\"arguments\":false,\"encodi"
    "ng\":\"wire\",\"error\":null,\"index\":167,\"items\":null,\"kind\":\"unary\",\"parameter\":\"req"
    "uest\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":23}},\"response\":{\"type\":{\"ref\":23}}"
    "}],\"name\":\"renamed\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":nu"
    "ll,\"index\":174,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\""
    "request\":{\"type\":\"any\"},\"response\":{\"type\":\"any\"}}],\"name\":\"any\"},{\"entries\":[{\""
    "arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":181,\"items\":null,\"kind\":"
    "\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"f64\"}},\"r"
    "esponse\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"doubles\"},{\"entries\":[{\"arguments\":fa"
    "lse,\"encoding\":\"wire\",\"error\":null,\"index\":188,\"items\":null,\"kind\":\"unary\",\"para"
    "meter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"map\":[\"string\",{\"ref\":5}]}},\""
    "response\":{\"type\":{\"map\":[\"string\",{\"ref\":5}]}}}],\"name\":\"map\"},{\"entries\":[{\"ar"
    "guments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":195,\"items\":null,\"kind\":\"u"
    "nary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"option\":{\"ref\":5}}"
    "},\"response\":{\"type\":{\"option\":{\"ref\":5}}}}],\"name\":\"maybe\"},{\"entries\":[{\"argum"
    "ents\":false,\"encoding\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"kind\":\"unar"
    "y\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"tuple\":[\"u8\",\"string\""
    ",{\"option\":\"bool\"}]}},\"response\":{\"type\":{\"tuple\":[\"u8\",\"string\",{\"option\":\"bool"
    "\"}]}}}],\"name\":\"tuple\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\""
    ":null,\"index\":209,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\""
    "\",\"request\":{\"type\":\"duration\"},\"response\":{\"type\":\"duration\"}}],\"name\":\"duratio"
    "n\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":216,\"i"
    "tems\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":"
    "\"timestamp\"},\"response\":{\"type\":\"timestamp\"}}],\"name\":\"timestamp\"},{\"entries\":[{"
    "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":223,\"items\":null,\"kind\""
    ":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"respon"
    "se\":{\"type\":\"u64\"}}],\"name\":\"length\"},{\"entries\":[{\"arguments\":false,\"encoding\":"
    "\"wire\",\"error\":null,\"index\":230,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request"
    "\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":11}},\"response\":{\"type\":{\"option\":{\"ref"
    "\":5}}}}],\"name\":\"oldest\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"erro"
    "r\":null,\"index\":237,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\""
    ":\"\",\"request\":{\"type\":{\"ref\":13}},\"response\":{\"type\":\"f64\"}}],\"name\":\"area\"},{\"e"
    "ntries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":244,\"items\":nu"
    "ll,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":27}},\"re"
    "sponse\":{\"type\":\"string\"}}],\"name\":\"part\"},{\"entries\":[{\"arguments\":true,\"encodi"
    "ng\":\"wire\",\"error\":null,\"index\":251,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\""
    "receiver\":\"\",\"request\":{\"type\":{\"ref\":28}},\"response\":{\"type\":{\"tuple\":[{\"ref\":5"
    "},{\"list\":\"string\"},{\"list\":\"f64\"},{\"ref\":8},\"bytes\",{\"option\":\"any\"}]}}}],\"name"
    "\":\"several\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index"
    "\":258,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\""
    ":{\"ref\":29}},\"response\":{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut\"},"
    "{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":265,\"items\""
    ":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":32}},"
    "\"response\":{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut_later\"},{\"entri"
    "es\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":267,\"items\":null,\""
    "kind\":\"unary\",\"parameter\":\"data\",\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"respo"
    "nse\":{\"type\":\"string\"}}],\"name\":\"hex\"},{\"entries\":[{\"arguments\":false,\"encoding\""
    ":\"raw\",\"error\":null,\"index\":274,\"items\":null,\"kind\":\"unary\",\"parameter\":\"data\",\""
    "receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type\":\"string\"}}],\"name\":\"h"
    "ex_later\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":"
    "281,\"items\":null,\"kind\":\"unary\",\"parameter\":\"digits\",\"receiver\":\"\",\"request\":{\"t"
    "ype\":\"string\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"unhex\"},{\"entries\":[{\"argum"
    "ents\":false,\"encoding\":\"wire\",\"error\":null,\"index\":293,\"items\":null,\"kind\":\"unar"
    "y\",\"parameter\":\"data\",\"receiver\":\"\",\"request\":{\"type\":\"bytes\"},\"response\":{\"type"
    "\":\"u64\"}}],\"name\":\"nonzero\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"er"
    "ror\":null,\"index\":295,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\""
    "request\":{\"type\":\"unit\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"magic\"},{\"entries"
    "\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":307,\"items\":null,\"ki"
    "nd\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":33}},\"response"
    "\":{\"type\":{\"ref\":5}}}],\"name\":\"aged\"},{\"entries\":[{\"arguments\":true,\"encoding\":\""
    "wire\",\"error\":null,\"index\":314,\"items\":null,\"kind\":\"server_stream\",\"parameter\":\""
    "\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":34}},\"response\":{\"type\":\"i64\"}}],\"name\""
    ":\"steps\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":"
    "321,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\""
    "type\":{\"ref\":5}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"later\"},{\"entries\":[{\"a"
    "rguments\":true,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":36}},\"index\":328,\"items\""
    ":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":35}},"
    "\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"search\"},{\"entries\":[{\"arguments\":true,\""
    "encoding\":\"wire\",\"error\":{\"type\":{\"ref\":36}},\"index\":335,\"items\":null,\"kind\":\"un"
    "ary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":37}},\"response\":{\"typ"
    "e\":{\"ref\":5}}}],\"name\":\"search_later\"},{\"entries\":[{\"arguments\":true,\"encoding\":"
    "\"wire\",\"error\":{\"type\":{\"ref\":39}},\"index\":342,\"items\":null,\"kind\":\"unary\",\"para"
    "meter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":38}},\"response\":{\"type\":{\"ref\":"
    "8}}}],\"name\":\"paint\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":{"
    "\"type\":{\"ref\":40}},\"index\":349,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\""
    ",\"receiver\":\"\",\"request\":{\"type\":\"bool\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"po"
    "wer\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":356,"
    "\"items\":null,\"kind\":\"server_stream\",\"parameter\":\"request\",\"receiver\":\"\",\"request"
    "\":{\"type\":{\"ref\":41}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"repeat\"},{\"entries"
    "\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":363,\"items\":{\"type\""
    ":{\"ref\":5}},\"kind\":\"client_stream\",\"parameter\":\"before\",\"receiver\":\"\",\"request\":"
    "{\"type\":\"u64\"},\"response\":{\"type\":{\"ref\":11}}}],\"name\":\"collect\"},{\"entries\":[{\""
    "arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":370,\"items\":{\"type\":{\"ref"
    "\":5}},\"kind\":\"client_stream\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"re"
    "f\":42}},\"response\":{\"type\":{\"list\":{\"ref\":5}}}}],\"name\":\"between\"},{\"entries\":[{"
    "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":377,\"items\":{\"type\":{\"r"
    "ef\":13}},\"kind\":\"bidi_stream\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"un"
    "it\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"reshape\"},{\"entries\":[{\"arguments\""
    ":false,\"encoding\":\"wire\",\"error\":null,\"index\":384,\"items\":null,\"kind\":\"unary\",\"p"
    "arameter\":\"start\",\"receiver\":\"\",\"request\":{\"type\":\"i64\"},\"response\":{\"type\":{\"ob"
    "ject\":\"Counter\"}}}],\"name\":\"counter\"},{\"entries\":[{\"arguments\":false,\"encoding\":"
    "\"wire\",\"error\":null,\"index\":391,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request"
    "\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"i64\"}},\"response\":{\"type\":{\"ref\":43}}"
    "}],\"name\":\"counters\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":nu"
    "ll,\"index\":398,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request"
    "\":{\"type\":{\"ref\":44}},\"response\":{\"type\":{\"tuple\":[\"i64\",\"i64\"]}}}],\"name\":\"tran"
    "sfer\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":405"
    ",\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"typ"
    "e\":{\"ref\":43}},\"response\":{\"type\":\"i64\"}}],\"name\":\"total\"},{\"entries\":[{\"argumen"
    "ts\":false,\"encoding\":\"wire\",\"error\":null,\"index\":412,\"items\":null,\"kind\":\"unary\""
    ",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":45}},\"response\":{\""
    "type\":\"bytes\"}}],\"name\":\"random\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wir"
    "e\",\"error\":null,\"index\":419,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver"
    "\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":{\"list\":\"string\"}}}],\"name\":\"e"
    "choes\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":426"
    ",\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"re"
    "f\":46}},\"response\":{\"type\":{\"option\":\"string\"}}}],\"name\":\"as_json\"},{\"entries\":["
    "{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":433,\"items\":null,\"kind\""
    ":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":47}},\"response\":{"
    "\"type\":\"bytes\"}}],\"name\":\"as_message\"},{\"entries\":[{\"arguments\":false,\"encoding\""
    ":\"wire\",\"error\":null,\"index\":440,\"items\":null,\"kind\":\"unary\",\"parameter\":\"name\","
    "\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"type\":{\"option\":{\"ref\":5}"
    "}}}],\"name\":\"ask\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null"
    ",\"index\":447,\"items\":null,\"kind\":\"unary\",\"parameter\":\"name\",\"receiver\":\"\",\"reque"
    "st\":{\"type\":\"string\"},\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"ask_later\"},{\"entr"
    "ies\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":454,\"items\":null"
    ",\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"response"
    "\":{\"type\":\"u64\"}}],\"name\":\"ask_count\"},{\"entries\":[{\"arguments\":false,\"encoding\""
    ":\"wire\",\"error\":null,\"index\":461,\"items\":null,\"kind\":\"unary\",\"parameter\":\"people"
    "\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":5}}},\"response\":{\"type\":{\"map\":"
    "[\"string\",\"u32\"]}}}],\"name\":\"ask_ages\"},{\"entries\":[{\"arguments\":false,\"encoding"
    "\":\"wire\",\"error\":null,\"index\":468,\"items\":null,\"kind\":\"unary\",\"parameter\":\"more\""
    ",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64\"},\"response\":{\"type\":\"i64\"}}],\"name"
    "\":\"Counter.add\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\""
    "index\":475,\"items\":null,\"kind\":\"unary\",\"parameter\":\"more\",\"receiver\":\"Counter\",\""
    "request\":{\"type\":\"i64\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.add_later\"},"
    "{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":48}},\"in"
    "dex\":482,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"reques"
    "t\":{\"type\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.half\"},{\"entries\""
    ":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":489,\"items\":null,\"kin"
    "d\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"request\":{\"type\":{\"ref\":49}},\"re"
    "sponse\":{\"type\":\"bool\"}}],\"name\":\"Counter.within\"},{\"entries\":[{\"arguments\":fals"
    "e,\"encoding\":\"wire\",\"error\":null,\"index\":496,\"items\":null,\"kind\":\"unary\",\"parame"
    "ter\":\"\",\"receiver\":\"Counter\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"i64\"}"
    "}],\"name\":\"Counter.get\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error"
    "\":null,\"index\":503,\"items\":null,\"kind\":\"unary\",\"parameter\":\"other\",\"receiver\":\"C"
    "ounter\",\"request\":{\"type\":{\"object\":\"Counter\"}},\"response\":{\"type\":\"i64\"}}],\"nam"
    "e\":\"Counter.absorb\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":nu"
    "ll,\"index\":510,\"items\":null,\"kind\":\"server_stream\",\"parameter\":\"end\",\"receiver\":"
    "\"Counter\",\"request\":{\"type\":\"i64\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.u"
    "pto\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":517,"
    "\"items\":{\"type\":{\"ref\":5}},\"kind\":\"client_stream\",\"parameter\":\"\",\"receiver\":\"Cou"
    "nter\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.admi"
    "t\"}],\"name\":\"types\",\"services\":[{\"encoding\":\"wire\",\"name\":\"directory.find\",\"opti"
    "onal\":true,\"request\":{\"type\":\"string\"},\"response\":{\"type\":{\"option\":{\"ref\":5}}}}"
    ",{\"encoding\":\"wire\",\"name\":\"directory.fetch\",\"optional\":true,\"request\":{\"type\":\""
    "string\"},\"response\":{\"type\":{\"ref\":5}}},{\"encoding\":\"wire\",\"name\":\"directory.cou"
    "nt\",\"optional\":true,\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"u64\"}},{\"encod"
    "ing\":\"wire\",\"name\":\"ages.of\",\"optional\":true,\"request\":{\"type\":{\"list\":{\"ref\":5}"
    "}},\"response\":{\"type\":{\"map\":[\"string\",\"u32\"]}}}],\"types\":[{\"name\":\"Every\",\"reco"
    "rd\":[{\"name\":\"numbers\",\"type\":{\"ref\":1}},{\"name\":\"texts\",\"type\":{\"ref\":2}},{\"nam"
    "e\":\"times\",\"type\":{\"ref\":3}},{\"name\":\"lists\",\"type\":{\"ref\":4}},{\"name\":\"pairs\",\""
    "type\":{\"ref\":7}},{\"name\":\"foreign\",\"type\":{\"ref\":9}},{\"name\":\"people\",\"type\":{\"r"
    "ef\":11}},{\"name\":\"words\",\"type\":{\"ref\":12}},{\"name\":\"color\",\"type\":{\"ref\":8}},{\""
    "name\":\"shape\",\"type\":{\"ref\":13}},{\"name\":\"tagged\",\"type\":{\"ref\":14}},{\"name\":\"un"
    "tagged\",\"type\":{\"ref\":15}},{\"name\":\"expr\",\"type\":{\"ref\":16}},{\"name\":\"tree\",\"typ"
    "e\":{\"ref\":17}},{\"name\":\"samples\",\"type\":{\"ref\":18}},{\"name\":\"celsius\",\"type\":{\"r"
    "ef\":20}},{\"name\":\"unit\",\"type\":{\"ref\":21}},{\"name\":\"defaults\",\"type\":{\"ref\":22}}"
    ",{\"name\":\"renamed\",\"type\":{\"ref\":23}},{\"name\":\"any\",\"type\":\"any\"},{\"name\":\"tuple"
    "\",\"type\":{\"tuple\":[\"u8\",\"string\",{\"option\":\"bool\"}]}}]},{\"name\":\"Numbers\",\"recor"
    "d\":[{\"name\":\"u8\",\"type\":\"u8\"},{\"name\":\"u16\",\"type\":\"u16\"},{\"name\":\"u32\",\"type\":\""
    "u32\"},{\"name\":\"u64\",\"type\":\"u64\"},{\"name\":\"u128\",\"type\":\"u128\"},{\"name\":\"i8\",\"ty"
    "pe\":\"i8\"},{\"name\":\"i16\",\"type\":\"i16\"},{\"name\":\"i32\",\"type\":\"i32\"},{\"name\":\"i64\","
    "\"type\":\"i64\"},{\"name\":\"i128\",\"type\":\"i128\"},{\"name\":\"f32\",\"type\":\"f32\"},{\"name\":"
    "\"f64\",\"type\":\"f64\"},{\"name\":\"bool\",\"type\":\"bool\"},{\"name\":\"char\",\"type\":\"char\"},"
    "{\"name\":\"size\",\"type\":\"u64\"},{\"name\":\"unit\",\"type\":\"unit\"}]},{\"name\":\"Texts\",\"re"
    "cord\":[{\"name\":\"text\",\"type\":\"string\"},{\"name\":\"boxed\",\"type\":\"string\"},{\"name\":"
    "\"maybe_bytes\",\"type\":{\"option\":\"bytes\"}},{\"name\":\"bytes\",\"type\":\"bytes\"},{\"name\""
    ":\"maybe\",\"type\":{\"option\":\"string\"}}]},{\"name\":\"Times\",\"record\":[{\"name\":\"at\",\"t"
    "ype\":\"timestamp\"},{\"name\":\"lasts\",\"type\":\"duration\"},{\"name\":\"ends\",\"type\":{\"opt"
    "ion\":\"timestamp\"}}]},{\"name\":\"Lists\",\"record\":[{\"name\":\"bytes\",\"type\":\"bytes\"},{"
    "\"name\":\"small\",\"type\":{\"list\":\"i8\"}},{\"name\":\"numbers\",\"type\":{\"list\":\"u32\"}},{\""
    "name\":\"doubles\",\"type\":{\"list\":\"f64\"}},{\"name\":\"large\",\"type\":{\"list\":\"i128\"}},{"
    "\"name\":\"bools\",\"type\":{\"list\":\"bool\"}},{\"name\":\"texts\",\"type\":{\"list\":\"string\"}}"
    ",{\"name\":\"nested\",\"type\":{\"list\":{\"list\":\"u16\"}}},{\"name\":\"fixed\",\"type\":{\"array"
    "\":[\"u32\",3]}},{\"name\":\"matrix\",\"type\":{\"array\":[{\"array\":[\"f64\",2]},2]}},{\"name\""
    ":\"names\",\"type\":{\"array\":[\"string\",2]}},{\"name\":\"set\",\"type\":{\"list\":\"u32\"}},{\"n"
    "ame\":\"people\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"points\",\"type\":{\"list\":{\"ref\":"
    "6}}},{\"name\":\"sizes\",\"type\":{\"list\":\"u64\"}},{\"name\":\"boxes\",\"type\":{\"list\":\"f32\""
    "}},{\"name\":\"chars\",\"type\":{\"list\":\"char\"}},{\"name\":\"options\",\"type\":{\"list\":{\"op"
    "tion\":\"u8\"}}},{\"name\":\"tuples\",\"type\":{\"list\":{\"tuple\":[\"u8\",\"u32\"]}}}]},{\"name\""
    ":\"Person\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"age\",\"type\":\"u32\"},"
    "{\"name\":\"email\",\"type\":{\"option\":\"string\"}}]},{\"name\":\"Point\",\"pod\":[{\"name\":\"x\""
    ",\"type\":\"f64\"},{\"name\":\"y\",\"type\":\"f64\"}]},{\"name\":\"Pairs\",\"record\":[{\"name\":\"by"
    "_name\",\"type\":{\"map\":[\"string\",\"u32\"]}},{\"name\":\"by_number\",\"type\":{\"map\":[\"i64\""
    ",\"string\"]}},{\"name\":\"by_char\",\"type\":{\"map\":[\"char\",\"bytes\"]}},{\"name\":\"by_colo"
    "r\",\"type\":{\"map\":[{\"ref\":8},{\"ref\":5}]}},{\"name\":\"hashed\",\"type\":{\"map\":[\"u16\",{"
    "\"option\":\"f32\"}]}},{\"name\":\"nested\",\"type\":{\"map\":[\"string\",{\"map\":[\"u8\",\"bool\"]"
    "}]}}]},{\"enum\":{\"variants\":[{\"name\":\"red\"},{\"name\":\"green\"},{\"name\":\"dark_blue\"}"
    "]},\"name\":\"Color\"},{\"name\":\"Foreign\",\"record\":[{\"name\":\"id\",\"type\":\"uuid\"},{\"nam"
    "e\":\"parent\",\"type\":{\"option\":\"uuid\"}},{\"name\":\"names\",\"type\":{\"map\":[\"uuid\",\"str"
    "ing\"]}},{\"name\":\"made\",\"type\":\"timestamp\"},{\"name\":\"took\",\"type\":\"duration\"},{\"n"
    "ame\":\"seen\",\"type\":\"timestamp\"},{\"name\":\"waits\",\"type\":{\"list\":\"duration\"}},{\"na"
    "me\":\"ends\",\"type\":{\"option\":\"timestamp\"}},{\"name\":\"lasts\",\"type\":\"duration\"},{\"n"
    "ame\":\"at\",\"type\":{\"ref\":10}},{\"name\":\"others\",\"type\":{\"map\":[\"string\",{\"list\":{\""
    "ref\":10}}]}}]},{\"name\":\"Endpoint\",\"record\":[{\"name\":\"address\",\"type\":\"string\"},{"
    "\"name\":\"port\",\"type\":\"u16\"}]},{\"name\":\"PagePerson\",\"record\":[{\"name\":\"items\",\"ty"
    "pe\":{\"list\":{\"ref\":5}}},{\"name\":\"total\",\"type\":\"u64\"}]},{\"name\":\"PageString\",\"re"
    "cord\":[{\"name\":\"items\",\"type\":{\"list\":\"string\"}},{\"name\":\"total\",\"type\":\"u64\"}]}"
    ",{\"enum\":{\"variants\":[{\"name\":\"Nothing\"},{\"fields\":[{\"name\":\"radius\",\"type\":\"f64"
    "\"}],\"name\":\"Circle\"},{\"name\":\"Polygon\",\"tuple\":[{\"list\":{\"ref\":6}}]}]},\"name\":\"S"
    "hape\"},{\"enum\":{\"tag\":{\"inside\":\"kind\"},\"variants\":[{\"fields\":[{\"name\":\"atSecond"
    "\",\"type\":\"u64\"}],\"name\":\"started\"},{\"fields\":[{\"name\":\"toPlace\",\"type\":{\"ref\":6}"
    "},{\"name\":\"howFast\",\"type\":{\"option\":\"f32\"}}],\"name\":\"moved\"},{\"name\":\"stopped\"}"
    "]},\"name\":\"Tagged\"},{\"enum\":{\"tag\":\"none\",\"variants\":[{\"name\":\"Number\",\"tuple\":["
    "\"i64\"]},{\"name\":\"Text\",\"tuple\":[\"string\"]},{\"name\":\"Both\",\"tuple\":[\"i64\",\"string"
    "\"]}]},\"name\":\"Untagged\"},{\"enum\":{\"variants\":[{\"name\":\"Number\",\"tuple\":[\"f64\"]},"
    "{\"name\":\"Negated\",\"tuple\":[{\"ref\":16}]},{\"name\":\"Sum\",\"tuple\":[{\"ref\":16},{\"ref\""
    ":16}]},{\"fields\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"arguments\",\"type\":{\"l"
    "ist\":{\"ref\":16}}}],\"name\":\"Call\"}]},\"name\":\"Expr\"},{\"name\":\"Tree\",\"record\":[{\"na"
    "me\":\"name\",\"type\":\"string\"},{\"name\":\"children\",\"type\":{\"list\":{\"ref\":17}}}]},{\"n"
    "ame\":\"Samples\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"first\",\"type\":"
    "{\"ref\":19}},{\"name\":\"all\",\"type\":{\"list\":{\"ref\":19}}},{\"name\":\"pair\",\"type\":{\"ar"
    "ray\":[{\"ref\":6},2]}}]},{\"name\":\"Sample\",\"pod\":[{\"name\":\"time\",\"type\":\"u64\"},{\"na"
    "me\":\"value\",\"type\":\"f32\"},{\"name\":\"channel\",\"type\":\"u16\"},{\"name\":\"flags\",\"type\""
    ":{\"array\":[\"u8\",2]}}]},{\"name\":\"Celsius\",\"newtype\":\"f64\"},{\"name\":\"Unit\",\"newtyp"
    "e\":\"unit\"},{\"name\":\"Defaults\",\"record\":[{\"default\":true,\"name\":\"count\",\"type\":\"u"
    "32\"},{\"default\":true,\"name\":\"name\",\"type\":\"string\"},{\"default\":true,\"name\":\"list"
    "\",\"type\":\"bytes\"},{\"default\":true,\"name\":\"maybe\",\"type\":{\"option\":\"u64\"}}]},{\"na"
    "me\":\"RenamedRecord\",\"record\":[{\"name\":\"firstName\",\"type\":\"string\"},{\"name\":\"type"
    "\",\"type\":{\"ref\":8}},{\"name\":\"class\",\"type\":\"u8\"},{\"flatten\":true,\"name\":\"person\""
    ",\"type\":{\"ref\":5}}]},{\"enum\":{\"open\":true,\"variants\":[{\"name\":\"Calm\"},{\"name\":\"G"
    "lad\"}]},\"name\":\"Mood\"},{\"enum\":{\"open\":true,\"variants\":[{\"name\":\"Came\"},{\"fields"
    "\":[{\"name\":\"others\",\"type\":{\"list\":{\"ref\":5}}},{\"name\":\"mood\",\"type\":{\"ref\":24}}"
    "],\"name\":\"Met\"},{\"name\":\"Said\",\"tuple\":[\"string\"]}]},\"name\":\"Event\"},{\"name\":\"Bo"
    "unded\",\"record\":[{\"name\":\"share\",\"type\":\"u8\"},{\"name\":\"all\",\"type\":\"bytes\"}]},{\""
    "name\":\"PartParameters\",\"record\":[{\"name\":\"text\",\"type\":\"string\"},{\"name\":\"start\""
    ",\"type\":\"u32\"},{\"name\":\"count\",\"type\":{\"option\":\"u32\"}}]},{\"name\":\"SeveralParame"
    "ters\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"nick_names\",\"type\":{"
    "\"list\":\"string\"}},{\"name\":\"numbers\",\"type\":{\"list\":\"f64\"}},{\"name\":\"type\",\"type\""
    ":{\"ref\":8}},{\"name\":\"class\",\"type\":\"bytes\"},{\"name\":\"self_\",\"type\":{\"option\":\"an"
    "y\"}}]},{\"name\":\"CutParameters\",\"record\":[{\"name\":\"how\",\"type\":{\"ref\":30}},{\"name"
    "\":\"data\",\"type\":\"bytes\"}]},{\"name\":\"Cut\",\"record\":[{\"name\":\"skip\",\"type\":\"u32\"},"
    "{\"name\":\"times\",\"type\":\"u32\"}]},{\"name\":\"Piece\",\"record\":[{\"name\":\"length\",\"type"
    "\":\"u64\"},{\"name\":\"first\",\"type\":{\"option\":\"u8\"}}]},{\"name\":\"CutLaterParameters\","
    "\"record\":[{\"name\":\"how\",\"type\":{\"ref\":30}},{\"name\":\"data\",\"type\":\"bytes\"}]},{\"na"
    "me\":\"AgedParameters\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"years"
    "\",\"type\":\"u32\"}]},{\"name\":\"StepsParameters\",\"record\":[{\"name\":\"first\",\"type\":\"i6"
    "4\"},{\"name\":\"last\",\"type\":\"i64\"},{\"name\":\"step\",\"type\":\"u32\"}]},{\"name\":\"SearchP"
    "arameters\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"people\",\"type\":{\"l"
    "ist\":{\"ref\":5}}}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name\":\"name\",\"type\":\"string"
    "\"},{\"name\":\"similar\",\"type\":{\"list\":{\"ref\":5}}}],\"name\":\"Nobody\"},{\"name\":\"Hidde"
    "n\"},{\"name\":\"Crowd\",\"tuple\":[\"u64\",{\"list\":\"f64\"}]}]},\"name\":\"SearchError\"},{\"na"
    "me\":\"SearchLaterParameters\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"p"
    "eople\",\"type\":{\"list\":{\"ref\":5}}}]},{\"name\":\"PaintParameters\",\"record\":[{\"name\":"
    "\"color\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":{\"option\":{\"ref\":8}}}]},{\"name"
    "\":\"Refused\",\"record\":[{\"name\":\"color\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":"
    "{\"option\":{\"ref\":8}}}]},{\"enum\":{\"variants\":[{\"name\":\"Out\"}]},\"name\":\"PowerError"
    "\"},{\"name\":\"Repeat\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"times\""
    ",\"type\":\"u32\"}]},{\"name\":\"BetweenParameters\",\"record\":[{\"name\":\"youngest\",\"type\""
    ":\"u32\"},{\"name\":\"oldest\",\"type\":\"u32\"}]},{\"name\":\"Counters\",\"record\":[{\"name\":\"f"
    "irst\",\"type\":{\"option\":{\"object\":\"Counter\"}}},{\"name\":\"others\",\"type\":{\"list\":{\""
    "object\":\"Counter\"}}},{\"name\":\"name\",\"type\":\"string\"}]},{\"name\":\"TransferParamete"
    "rs\",\"record\":[{\"name\":\"from\",\"type\":{\"object\":\"Counter\"}},{\"name\":\"to\",\"type\":{\""
    "object\":\"Counter\"}},{\"name\":\"count\",\"type\":\"i64\"}]},{\"name\":\"Random\",\"record\":[{"
    "\"name\":\"method\",\"type\":\"string\"},{\"name\":\"seed\",\"type\":\"u64\"}]},{\"name\":\"AsJsonP"
    "arameters\",\"record\":[{\"name\":\"method\",\"type\":\"string\"},{\"name\":\"message\",\"type\":"
    "\"bytes\"}]},{\"name\":\"AsMessageParameters\",\"record\":[{\"name\":\"method\",\"type\":\"stri"
    "ng\"},{\"name\":\"json\",\"type\":\"string\"}]},{\"name\":\"Odd\",\"record\":[{\"name\":\"count\",\""
    "type\":\"i64\"}]},{\"name\":\"CounterWithinParameters\",\"record\":[{\"name\":\"least\",\"type"
    "\":\"i64\"},{\"name\":\"most\",\"type\":\"i64\"}]}],\"version\":\"0.1.0\"}";

/// The plugin's methods, prepared.
struct Methods {
  explicit Methods(rb_instance instance) : plugin(instance) {}

  rb_instance plugin;
  rustbridge::TypedMethod<Every> every{plugin, "every", "ca824bfa182bedb60ba5827fb6308d6e", contract};
  rustbridge::TypedMethod<Numbers> numbers{plugin, "numbers", "4c00d487d36e0c59a73b8f6f78292929", contract};
  rustbridge::TypedMethod<Texts> texts{plugin, "texts", "f88372bd7465d1c1c7d58abd1ba2fc5c", contract};
  rustbridge::TypedMethod<Times> times{plugin, "times", "759fab40f0cf85db3f027917f24af2a3", contract};
  rustbridge::TypedMethod<Lists> lists{plugin, "lists", "e19f0e80f700832db2772a6cebd4c2f9", contract};
  rustbridge::TypedMethod<Pairs> pairs{plugin, "pairs", "18381038fd3cc6739c4df9d0db6d3a7d", contract};
  rustbridge::TypedMethod<Person> person{plugin, "person", "bf3ed839822e0baaebc306432086a7e1", contract};
  rustbridge::TypedMethod<PagePerson> people{plugin, "people", "f14e879221aba66dd32dea1fdcfa3fb5", contract};
  rustbridge::TypedMethod<Shape> shape{plugin, "shape", "7dd99669087d218bd07d831ce8f12470", contract};
  rustbridge::TypedMethod<Color> color{plugin, "color", "41b0fa431237ac990a79a870076aaf7c", contract};
  rustbridge::TypedMethod<Mood> mood{plugin, "mood", "c7593193ffab90a84e3ba13d65bed81c", contract};
  rustbridge::TypedMethod<std::vector<Event>> events{plugin, "events", "d65898177d1e2e1c69ffb73dff3d77c5", contract};
  rustbridge::TypedMethod<Tagged> tagged{plugin, "tagged", "d183e5861f8334a67d13ead1ac5a65ee", contract};
  rustbridge::TypedMethod<Untagged> untagged{plugin, "untagged", "718a4fb1dd49ba198222d869932671e5", contract};
  rustbridge::TypedMethod<Expr> expr{plugin, "expr", "2acb38bc4a1b629a4f7e7c75e5c6e069", contract};
  rustbridge::TypedMethod<Tree> tree{plugin, "tree", "1b32e93a62fd0d6845338c23d026910b", contract};
  rustbridge::TypedMethod<Samples> samples{plugin, "samples", "d32918079018f2eb6cbcb959e09e2f43", contract};
  rustbridge::TypedMethod<Point> point{plugin, "point", "d3685ef2581bf9f8d96fec9587f3b77d", contract};
  rustbridge::TypedMethod<Celsius> celsius{plugin, "celsius", "bbb0e9b3fd7d5e6c0b909b89a85f4205", contract};
  rustbridge::TypedMethod<Foreign> foreign{plugin, "foreign", "56e4cbbe19262184ba148eac03db284a", contract};
  rustbridge::TypedMethod<Bounded> bounded{plugin, "bounded", "7c6bbada5d2a999a2d983e79286f5088", contract};
  rustbridge::TypedMethod<Unit> unit{plugin, "unit", "efe1320e7176f8cf27172bff57e25aff", contract};
  rustbridge::TypedMethod<Defaults> defaults{plugin, "defaults", "66282979899cf160bb6e43954fc52c0f", contract};
  rustbridge::TypedMethod<RenamedRecord> renamed{plugin, "renamed", "cd7a190ba7eaee824e01233294ed8356", contract};
  rustbridge::TypedMethod<rustbridge::Dynamic> any{plugin, "any", "e116563f03bc7feddab9216a0bc693c1", contract};
  rustbridge::TypedMethod<std::vector<double>> doubles{plugin, "doubles", "d44b8782b9348016131b260d1783fb49", contract};
  rustbridge::TypedMethod<std::map<std::string, Person>> map{
      plugin,
      "map",
      "bd80e829cf3e3e21e657d21ed56285e0",
      contract};
  rustbridge::TypedMethod<std::optional<Person>> maybe{plugin, "maybe", "e55140d6969ffe47e3a827a8c8f5ce45", contract};
  rustbridge::TypedMethod<std::tuple<std::uint8_t, std::string, std::optional<bool>>> tuple{
      plugin,
      "tuple",
      "593596a45d2ec29ab4f2a45d17290d83",
      contract};
  rustbridge::TypedMethod<rustbridge::Duration> duration{
      plugin,
      "duration",
      "5b51c10a63ab70b8f53e1fee16d44cf8",
      contract};
  rustbridge::TypedMethod<rustbridge::Timestamp> timestamp{
      plugin,
      "timestamp",
      "da29a74c3d7ce4896a3f7ee7e36078cd",
      contract};
  rustbridge::TypedMethod<std::uint64_t> length{plugin, "length", "29a4c753bb3d9001ad03363342f2e79e", contract};
  rustbridge::TypedMethod<std::optional<Person>> oldest{plugin, "oldest", "27736f54a864a27897c6d5ebb84f2e69", contract};
  rustbridge::TypedMethod<double> area{plugin, "area", "10fa9364fd14754d19ec9cfc884b1aee", contract};
  rustbridge::TypedMethod<std::string> part{plugin, "part", "49b2a515f36339c8aeefffe631da8210", contract};
  rustbridge::TypedMethod<std::tuple<Person, std::vector<std::string>, std::vector<double>, Color, std::vector<std::byte>, std::optional<rustbridge::Dynamic>>> several{
      plugin,
      "several",
      "2c711d105bbe29f023c874e10eb3de37",
      contract};
  rustbridge::TypedMethod<std::tuple<Piece, std::vector<std::byte>>> cut{
      plugin,
      "cut",
      "f109d30b882069b16d0bb09ae313168b",
      contract};
  rustbridge::TypedMethod<std::tuple<Piece, std::vector<std::byte>>> cut_later{
      plugin,
      "cut_later",
      "f109d30b882069b16d0bb09ae313168b",
      contract};
  rustbridge::TypedMethod<std::string, rustbridge::Error, rustbridge::RawForm> hex{
      plugin,
      "hex",
      "10cb7552ba6e2ec516f8450ac1f6a7a5",
      contract};
  rustbridge::TypedMethod<std::string, rustbridge::Error, rustbridge::RawForm> hex_later{
      plugin,
      "hex_later",
      "10cb7552ba6e2ec516f8450ac1f6a7a5",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> unhex{
      plugin,
      "unhex",
      "dd541130f82a84c26844095adfda7f83",
      contract};
  rustbridge::TypedMethod<std::uint64_t> nonzero{plugin, "nonzero", "e9b43b29874d38f68f29d0a28f57d5bf", contract};
  rustbridge::TypedMethod<std::vector<std::byte>, rustbridge::Error, rustbridge::RawForm> magic{
      plugin,
      "magic",
      "aaee54f20060ca765edf811e8ff746d2",
      contract};
  rustbridge::TypedMethod<Person> aged{plugin, "aged", "d96d8c5aa18abd34800b0a70277f1ae2", contract};
  rustbridge::TypedMethod<std::int64_t> steps{plugin, "steps", "1b06f93494936b12245b3525a5416d28", contract};
  rustbridge::TypedMethod<Person> later{plugin, "later", "bf3ed839822e0baaebc306432086a7e1", contract};
  rustbridge::TypedMethod<Person, SearchException> search{
      plugin,
      "search",
      "377cf8857cffb751b1732bbeb1aeff0f",
      contract};
  rustbridge::TypedMethod<Person, SearchException> search_later{
      plugin,
      "search_later",
      "377cf8857cffb751b1732bbeb1aeff0f",
      contract};
  rustbridge::TypedMethod<Color, RefusedException> paint{plugin, "paint", "25003722c2e6315d90b231f2ef4a2cc4", contract};
  rustbridge::TypedMethod<void, PowerException> power{plugin, "power", "71c789d18f4d57dd20031e0341cc4e32", contract};
  rustbridge::TypedMethod<Person> repeat{plugin, "repeat", "5d483719156dbc996277632b762e9e80", contract};
  rustbridge::TypedMethod<PagePerson> collect{plugin, "collect", "9ecb7e607fb9abcc14f7aaceebb02e7d", contract};
  rustbridge::TypedMethod<std::vector<Person>> between{plugin, "between", "a12f06887f3b47a6ce5e6834928668cb", contract};
  rustbridge::TypedMethod<Shape> reshape{plugin, "reshape", "ae31d0880dfdf7df69b6bc48314151a2", contract};
  rustbridge::TypedMethod<Counter> counter{plugin, "counter", "ec165d6c610f39aed01abe986f716064", contract};
  rustbridge::TypedMethod<Counters> counters{plugin, "counters", "0c9a8d1e116aa5d0e6d14e357b9752e9", contract};
  rustbridge::TypedMethod<std::tuple<std::int64_t, std::int64_t>> transfer{
      plugin,
      "transfer",
      "eb6c227ff27443abe958f364eab77261",
      contract};
  rustbridge::TypedMethod<std::int64_t> total{plugin, "total", "f2acd3684f438c86832c55e8e71f58bc", contract};
  rustbridge::TypedMethod<std::vector<std::byte>> random{
      plugin,
      "random",
      "ccb9b9bd0e5b808e3d420a428a74d812",
      contract};
  rustbridge::TypedMethod<std::vector<std::string>> echoes{
      plugin,
      "echoes",
      "c41bde01320ce5cd4796aa1e16c9a8d1",
      contract};
  rustbridge::TypedMethod<std::optional<std::string>> as_json{
      plugin,
      "as_json",
      "28b4afe73c3e42654fdae474fcc8d1ef",
      contract};
  rustbridge::TypedMethod<std::vector<std::byte>> as_message{
      plugin,
      "as_message",
      "a631c2c1bd71fff75d95c1c158d6a176",
      contract};
  rustbridge::TypedMethod<std::optional<Person>> ask{plugin, "ask", "9886e54c7f570a55f5e6a4bfb4215684", contract};
  rustbridge::TypedMethod<Person> ask_later{plugin, "ask_later", "cde246a1db3f86a4b1b380d84fb0d082", contract};
  rustbridge::TypedMethod<std::uint64_t> ask_count{plugin, "ask_count", "63b26b9256268d2492d152d819049261", contract};
  rustbridge::TypedMethod<std::map<std::string, std::uint32_t>> ask_ages{
      plugin,
      "ask_ages",
      "b83cfeffed46a49b7a9b78755f51cd1c",
      contract};
  rustbridge::TypedMethod<std::int64_t> counter_add{
      plugin,
      "Counter.add",
      "570fd8a0f9600afe5dc59cb60cafc18c",
      contract};
  rustbridge::TypedMethod<std::int64_t> counter_add_later{
      plugin,
      "Counter.add_later",
      "570fd8a0f9600afe5dc59cb60cafc18c",
      contract};
  rustbridge::TypedMethod<std::int64_t, OddException> counter_half{
      plugin,
      "Counter.half",
      "34231d9746f76ea5b3c09c28aa21b1cd",
      contract};
  rustbridge::TypedMethod<bool> counter_within{plugin, "Counter.within", "e3728e4d27cafb7e29610055d6936f17", contract};
  rustbridge::TypedMethod<std::int64_t> counter_get{
      plugin,
      "Counter.get",
      "0623d9bd222f675fe8a051ce992515af",
      contract};
  rustbridge::TypedMethod<std::int64_t> counter_absorb{
      plugin,
      "Counter.absorb",
      "fa16e2261cd04f529e96258df45a24a3",
      contract};
  rustbridge::TypedMethod<std::int64_t> counter_upto{
      plugin,
      "Counter.upto",
      "6f4048bc7dae2eeaf52f29717bb4eb05",
      contract};
  rustbridge::TypedMethod<std::int64_t> counter_admit{
      plugin,
      "Counter.admit",
      "685f995b1f52ce252fe62469410e15da",
      contract};
};

}  // namespace detail

/// The services of the group `directory`, for the host to implement. The plugin calls them on its threads, any number
/// at once. What they throw reaches the plugin: a `rustbridge::Error` whole, another exception as `internal`.
class Directory {
 public:
  virtual ~Directory() = default;

  /// Who is called so, if anybody is.
  virtual std::optional<Person> find(const std::string& name) = 0;

  /// The same, of somebody who is there; fails with `NOT_FOUND` otherwise.
  virtual Person fetch(const std::string& name) = 0;

  /// How many there are.
  virtual std::uint64_t count() = 0;
};

/// The services of the group `ages`, for the host to implement. The plugin calls them on its threads, any number
/// at once. What they throw reaches the plugin: a `rustbridge::Error` whole, another exception as `internal`.
class Ages {
 public:
  virtual ~Ages() = default;

  /// Of each by name.
  virtual std::map<std::string, std::uint32_t> of(const std::vector<Person>& people) = 0;
};

/// What the host offers to the plugin. What is null isn't offered.
struct TypesHost {
  /// The plugin does without it, too.
  std::shared_ptr<Directory> directory{};
  /// The plugin does without it, too.
  std::shared_ptr<Ages> ages{};

  /// Offers them to a plugin that is loaded with that configuration.
  void add_to(rustbridge::Config& config) const {
    config.contract = detail::contract;
    if (directory) {
      config.services.push_back(rustbridge::typed_service<std::string, std::optional<Person>>(
          "directory.find", [group = directory](const std::string& request) { return group->find(request); }));
      config.services.push_back(rustbridge::typed_service<std::string, Person>(
          "directory.fetch", [group = directory](const std::string& request) { return group->fetch(request); }));
      config.services.push_back(rustbridge::typed_service<std::monostate, std::uint64_t>(
          "directory.count", [group = directory](const std::monostate&) { return group->count(); }));
    }
    if (ages) {
      config.services.push_back(rustbridge::typed_service<std::vector<Person>, std::map<std::string, std::uint32_t>>(
          "ages.of", [group = ages](const std::vector<Person>& request) { return group->of(request); }));
    }
  }
};

/// Typed methods of the plugin `types`.
///
/// It can be moved, not copied. Several threads may call it at once.
class Types : public rustbridge::TypedClient<detail::Methods> {
 public:
  /// Loads the plugin from a file; it's closed with the client. `rustbridge::Error`: it can't be loaded, or isn't the
  /// plugin that this was written of.
  static Types load(const std::filesystem::path& path, rustbridge::Config config = {}, const TypesHost& services = {}) {
    services.add_to(config);
    return Types(rustbridge::Plugin::load(path, config));
  }

  /// Calls a plugin that is loaded already, which goes on to belong to the caller. `rustbridge::Error`: it isn't the
  /// plugin that this was written of.
  static Types of(const rustbridge::Plugin& plugin) { return Types(plugin.handle()); }

  /// One of each.
  Every every(const Every& request) const { return this->methods().every.call(request); }

  /// One of each.
  Every every(const Every& request, const rustbridge::CallOptions& options) const {
    return this->methods().every.call(request, options);
  }

  /// Gives back what it gets.
  Numbers numbers(const Numbers& request) const { return this->methods().numbers.call(request); }

  /// Gives back what it gets.
  Numbers numbers(const Numbers& request, const rustbridge::CallOptions& options) const {
    return this->methods().numbers.call(request, options);
  }

  /// Gives back what it gets.
  Texts texts(const Texts& request) const { return this->methods().texts.call(request); }

  /// Gives back what it gets.
  Texts texts(const Texts& request, const rustbridge::CallOptions& options) const {
    return this->methods().texts.call(request, options);
  }

  /// Gives back what it gets.
  Times times(const Times& request) const { return this->methods().times.call(request); }

  /// Gives back what it gets.
  Times times(const Times& request, const rustbridge::CallOptions& options) const {
    return this->methods().times.call(request, options);
  }

  /// Gives back what it gets.
  Lists lists(const Lists& request) const { return this->methods().lists.call(request); }

  /// Gives back what it gets.
  Lists lists(const Lists& request, const rustbridge::CallOptions& options) const {
    return this->methods().lists.call(request, options);
  }

  /// Gives back what it gets.
  Pairs pairs(const Pairs& request) const { return this->methods().pairs.call(request); }

  /// Gives back what it gets.
  Pairs pairs(const Pairs& request, const rustbridge::CallOptions& options) const {
    return this->methods().pairs.call(request, options);
  }

  /// Gives back what it gets.
  Person person(const Person& request) const { return this->methods().person.call(request); }

  /// Gives back what it gets.
  Person person(const Person& request, const rustbridge::CallOptions& options) const {
    return this->methods().person.call(request, options);
  }

  /// Gives back what it gets.
  PagePerson people(const PagePerson& request) const { return this->methods().people.call(request); }

  /// Gives back what it gets.
  PagePerson people(const PagePerson& request, const rustbridge::CallOptions& options) const {
    return this->methods().people.call(request, options);
  }

  /// Gives back what it gets.
  Shape shape(const Shape& request) const { return this->methods().shape.call(request); }

  /// Gives back what it gets.
  Shape shape(const Shape& request, const rustbridge::CallOptions& options) const {
    return this->methods().shape.call(request, options);
  }

  /// Gives back what it gets.
  Color color(Color request) const { return this->methods().color.call(request); }

  /// Gives back what it gets.
  Color color(Color request, const rustbridge::CallOptions& options) const {
    return this->methods().color.call(request, options);
  }

  /// Gives back what it gets.
  Mood mood(Mood request) const { return this->methods().mood.call(request); }

  /// Gives back what it gets.
  Mood mood(Mood request, const rustbridge::CallOptions& options) const {
    return this->methods().mood.call(request, options);
  }

  /// Gives back what it gets.
  std::vector<Event> events(const std::vector<Event>& request) const { return this->methods().events.call(request); }

  /// Gives back what it gets.
  std::vector<Event> events(const std::vector<Event>& request, const rustbridge::CallOptions& options) const {
    return this->methods().events.call(request, options);
  }

  /// Gives back what it gets.
  Tagged tagged(const Tagged& request) const { return this->methods().tagged.call(request); }

  /// Gives back what it gets.
  Tagged tagged(const Tagged& request, const rustbridge::CallOptions& options) const {
    return this->methods().tagged.call(request, options);
  }

  /// Gives back what it gets.
  Untagged untagged(const Untagged& request) const { return this->methods().untagged.call(request); }

  /// Gives back what it gets.
  Untagged untagged(const Untagged& request, const rustbridge::CallOptions& options) const {
    return this->methods().untagged.call(request, options);
  }

  /// Gives back what it gets.
  Expr expr(const Expr& request) const { return this->methods().expr.call(request); }

  /// Gives back what it gets.
  Expr expr(const Expr& request, const rustbridge::CallOptions& options) const {
    return this->methods().expr.call(request, options);
  }

  /// Gives back what it gets.
  Tree tree(const Tree& request) const { return this->methods().tree.call(request); }

  /// Gives back what it gets.
  Tree tree(const Tree& request, const rustbridge::CallOptions& options) const {
    return this->methods().tree.call(request, options);
  }

  /// Gives back what it gets.
  Samples samples(const Samples& request) const { return this->methods().samples.call(request); }

  /// Gives back what it gets.
  Samples samples(const Samples& request, const rustbridge::CallOptions& options) const {
    return this->methods().samples.call(request, options);
  }

  /// Gives back what it gets.
  Point point(const Point& request) const { return this->methods().point.call(request); }

  /// Gives back what it gets.
  Point point(const Point& request, const rustbridge::CallOptions& options) const {
    return this->methods().point.call(request, options);
  }

  /// Gives back what it gets.
  Celsius celsius(const Celsius& request) const { return this->methods().celsius.call(request); }

  /// Gives back what it gets.
  Celsius celsius(const Celsius& request, const rustbridge::CallOptions& options) const {
    return this->methods().celsius.call(request, options);
  }

  /// Gives back what it gets.
  Foreign foreign(const Foreign& request) const { return this->methods().foreign.call(request); }

  /// Gives back what it gets.
  Foreign foreign(const Foreign& request, const rustbridge::CallOptions& options) const {
    return this->methods().foreign.call(request, options);
  }

  /// What is checked when it's read.
  Bounded bounded(const Bounded& request) const { return this->methods().bounded.call(request); }

  /// What is checked when it's read.
  Bounded bounded(const Bounded& request, const rustbridge::CallOptions& options) const {
    return this->methods().bounded.call(request, options);
  }

  /// Gives back what it gets.
  Unit unit(const Unit& request) const { return this->methods().unit.call(request); }

  /// Gives back what it gets.
  Unit unit(const Unit& request, const rustbridge::CallOptions& options) const {
    return this->methods().unit.call(request, options);
  }

  /// Gives back what it gets.
  Defaults defaults(const Defaults& request) const { return this->methods().defaults.call(request); }

  /// Gives back what it gets.
  Defaults defaults(const Defaults& request, const rustbridge::CallOptions& options) const {
    return this->methods().defaults.call(request, options);
  }

  /// Gives back what it gets.
  RenamedRecord renamed(const RenamedRecord& request) const { return this->methods().renamed.call(request); }

  /// Gives back what it gets.
  RenamedRecord renamed(const RenamedRecord& request, const rustbridge::CallOptions& options) const {
    return this->methods().renamed.call(request, options);
  }

  /// A value that says itself what it is.
  rustbridge::Dynamic any(const rustbridge::Dynamic& request) const { return this->methods().any.call(request); }

  /// A value that says itself what it is.
  rustbridge::Dynamic any(const rustbridge::Dynamic& request, const rustbridge::CallOptions& options) const {
    return this->methods().any.call(request, options);
  }

  /// A list that is one copy.
  std::vector<double> doubles(std::span<const double> request) const { return this->methods().doubles.call(request); }

  /// A list that is one copy.
  std::vector<double> doubles(std::span<const double> request, const rustbridge::CallOptions& options) const {
    return this->methods().doubles.call(request, options);
  }

  /// Gives back what it gets.
  std::map<std::string, Person> map(const std::map<std::string, Person>& request) const {
    return this->methods().map.call(request);
  }

  /// Gives back what it gets.
  std::map<std::string, Person> map(
      const std::map<std::string, Person>& request,
      const rustbridge::CallOptions& options) const {
    return this->methods().map.call(request, options);
  }

  /// Somebody, perhaps.
  std::optional<Person> maybe(const std::optional<Person>& request = std::nullopt) const {
    return this->methods().maybe.call(request);
  }

  /// Somebody, perhaps.
  std::optional<Person> maybe(const std::optional<Person>& request, const rustbridge::CallOptions& options) const {
    return this->methods().maybe.call(request, options);
  }

  /// Gives back what it gets.
  std::tuple<std::uint8_t, std::string, std::optional<bool>> tuple(
      const std::tuple<std::uint8_t, std::string, std::optional<bool>>& request) const {
    return this->methods().tuple.call(request);
  }

  /// Gives back what it gets.
  std::tuple<std::uint8_t, std::string, std::optional<bool>> tuple(
      const std::tuple<std::uint8_t, std::string, std::optional<bool>>& request,
      const rustbridge::CallOptions& options) const {
    return this->methods().tuple.call(request, options);
  }

  /// Gives back what it gets.
  rustbridge::Duration duration(rustbridge::Duration request) const { return this->methods().duration.call(request); }

  /// Gives back what it gets.
  rustbridge::Duration duration(rustbridge::Duration request, const rustbridge::CallOptions& options) const {
    return this->methods().duration.call(request, options);
  }

  /// Gives back what it gets.
  rustbridge::Timestamp timestamp(rustbridge::Timestamp request) const {
    return this->methods().timestamp.call(request);
  }

  /// Gives back what it gets.
  rustbridge::Timestamp timestamp(rustbridge::Timestamp request, const rustbridge::CallOptions& options) const {
    return this->methods().timestamp.call(request, options);
  }

  /// How many characters a text has.
  std::uint64_t length(std::string_view request) const { return this->methods().length.call(request); }

  /// How many characters a text has.
  std::uint64_t length(std::string_view request, const rustbridge::CallOptions& options) const {
    return this->methods().length.call(request, options);
  }

  /// Who is the oldest of them.
  std::optional<Person> oldest(const PagePerson& request) const { return this->methods().oldest.call(request); }

  /// Who is the oldest of them.
  std::optional<Person> oldest(const PagePerson& request, const rustbridge::CallOptions& options) const {
    return this->methods().oldest.call(request, options);
  }

  /// The area of a shape.
  double area(const Shape& request) const { return this->methods().area.call(request); }

  /// The area of a shape.
  double area(const Shape& request, const rustbridge::CallOptions& options) const {
    return this->methods().area.call(request, options);
  }

  /// A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none.
  std::string part(
      std::string_view text,
      std::uint32_t start,
      std::optional<std::uint32_t> count = std::nullopt) const {
    return this->methods().part.call(rustbridge::wire::arguments<"text", "start", "count">(text, start, count));
  }

  /// A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none.
  std::string part(
      std::string_view text,
      std::uint32_t start,
      std::optional<std::uint32_t> count,
      const rustbridge::CallOptions& options) const {
    return this->methods().part.call(
        rustbridge::wire::arguments<"text", "start", "count">(text, start, count),
        options);
  }

  /// Gives back what it gets one by one and lent, under names of every kind.
  std::tuple<Person, std::vector<std::string>, std::vector<double>, Color, std::vector<std::byte>, std::optional<rustbridge::Dynamic>> several(
      const Person& person,
      const std::vector<std::string>& nick_names,
      std::span<const double> numbers,
      Color type,
      std::span<const std::byte> class_,
      const std::optional<rustbridge::Dynamic>& self = std::nullopt) const {
    return this->methods().several.call(
        rustbridge::wire::arguments<
            "person", "nick_names", "numbers", "type", "class", "self_">(
            person, nick_names, numbers, type, class_, self));
  }

  /// Gives back what it gets one by one and lent, under names of every kind.
  std::tuple<Person, std::vector<std::string>, std::vector<double>, Color, std::vector<std::byte>, std::optional<rustbridge::Dynamic>> several(
      const Person& person,
      const std::vector<std::string>& nick_names,
      std::span<const double> numbers,
      Color type,
      std::span<const std::byte> class_,
      const std::optional<rustbridge::Dynamic>& self,
      const rustbridge::CallOptions& options) const {
    return this->methods().several.call(
        rustbridge::wire::arguments<
            "person", "nick_names", "numbers", "type", "class", "self_">(
            person, nick_names, numbers, type, class_, self),
        options);
  }

  /// Bytes beside what is to be done with them, and beside what is said of them.
  std::tuple<Piece, std::vector<std::byte>> cut(const Cut& how, std::span<const std::byte> data) const {
    return this->methods().cut.call(rustbridge::wire::arguments<"how", "data">(how, data));
  }

  /// Bytes beside what is to be done with them, and beside what is said of them.
  std::tuple<Piece, std::vector<std::byte>> cut(
      const Cut& how,
      std::span<const std::byte> data,
      const rustbridge::CallOptions& options) const {
    return this->methods().cut.call(rustbridge::wire::arguments<"how", "data">(how, data), options);
  }

  /// The same, from an `async fn`.
  std::tuple<Piece, std::vector<std::byte>> cut_later(const Cut& how, std::span<const std::byte> data) const {
    return this->methods().cut_later.call(rustbridge::wire::arguments<"how", "data">(how, data));
  }

  /// The same, from an `async fn`.
  std::tuple<Piece, std::vector<std::byte>> cut_later(
      const Cut& how,
      std::span<const std::byte> data,
      const rustbridge::CallOptions& options) const {
    return this->methods().cut_later.call(rustbridge::wire::arguments<"how", "data">(how, data), options);
  }

  /// The same, from an `async fn`.
  /// Doesn't wait for it.
  std::future<std::tuple<Piece, std::vector<std::byte>>> cut_later_async(
      const Cut& how,
      std::span<const std::byte> data,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().cut_later.call_async(
        rustbridge::wire::arguments<"how", "data">(how, data),
        options,
        rustbridge::Beside());
  }

  /// The same, from an `async fn`.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation cut_later_async(
      const Cut& how,
      std::span<const std::byte> data,
      std::function<void(rustbridge::Outcome<std::tuple<Piece, std::vector<std::byte>>>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().cut_later.call_async(
        rustbridge::wire::arguments<"how", "data">(how, data),
        options,
        rustbridge::Beside(),
        std::move(done));
  }

  /// The bytes in hexadecimal digits: raw bytes for raw text.
  std::string hex(std::span<const std::byte> data) const { return this->methods().hex.call(data); }

  /// The bytes in hexadecimal digits: raw bytes for raw text.
  std::string hex(std::span<const std::byte> data, const rustbridge::CallOptions& options) const {
    return this->methods().hex.call(data, options);
  }

  /// The same, from an `async fn`.
  std::string hex_later(std::span<const std::byte> data) const { return this->methods().hex_later.call(data); }

  /// The same, from an `async fn`.
  std::string hex_later(std::span<const std::byte> data, const rustbridge::CallOptions& options) const {
    return this->methods().hex_later.call(data, options);
  }

  /// The same, from an `async fn`.
  /// Doesn't wait for it.
  std::future<std::string> hex_later_async(
      std::span<const std::byte> data,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().hex_later.call_async(data, options, rustbridge::Beside());
  }

  /// The same, from an `async fn`.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation hex_later_async(
      std::span<const std::byte> data,
      std::function<void(rustbridge::Outcome<std::string>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().hex_later.call_async(data, options, rustbridge::Beside(), std::move(done));
  }

  /// The bytes of hexadecimal digits: raw text for raw bytes.
  std::vector<std::byte> unhex(std::string_view digits) const { return this->methods().unhex.call(digits); }

  /// The bytes of hexadecimal digits: raw text for raw bytes.
  std::vector<std::byte> unhex(std::string_view digits, const rustbridge::CallOptions& options) const {
    return this->methods().unhex.call(digits, options);
  }

  /// How many bytes aren't zero: bytes for a number, which is no raw answer.
  std::uint64_t nonzero(std::span<const std::byte> data) const { return this->methods().nonzero.call(data); }

  /// How many bytes aren't zero: bytes for a number, which is no raw answer.
  std::uint64_t nonzero(std::span<const std::byte> data, const rustbridge::CallOptions& options) const {
    return this->methods().nonzero.call(data, options);
  }

  /// The first bytes of a PNG: raw bytes for nothing.
  std::vector<std::byte> magic() const { return this->methods().magic.call(std::monostate()); }

  /// The first bytes of a PNG: raw bytes for nothing.
  std::vector<std::byte> magic(const rustbridge::CallOptions& options) const {
    return this->methods().magic.call(std::monostate(), options);
  }

  /// Somebody older, from an `async fn`.
  Person aged(const Person& person, std::uint32_t years) const {
    return this->methods().aged.call(rustbridge::wire::arguments<"person", "years">(person, years));
  }

  /// Somebody older, from an `async fn`.
  Person aged(const Person& person, std::uint32_t years, const rustbridge::CallOptions& options) const {
    return this->methods().aged.call(rustbridge::wire::arguments<"person", "years">(person, years), options);
  }

  /// Somebody older, from an `async fn`.
  /// Doesn't wait for it.
  std::future<Person> aged_async(
      const Person& person,
      std::uint32_t years,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().aged.call_async(
        rustbridge::wire::arguments<"person", "years">(person, years),
        options,
        rustbridge::Beside());
  }

  /// Somebody older, from an `async fn`.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation aged_async(
      const Person& person,
      std::uint32_t years,
      std::function<void(rustbridge::Outcome<Person>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().aged.call_async(
        rustbridge::wire::arguments<"person", "years">(person, years),
        options,
        rustbridge::Beside(),
        std::move(done));
  }

  /// The numbers from the first up to before the last, each so much more than the one before.
  /// A range of what the plugin sends, to go through once.
  rustbridge::TypedStream<std::int64_t> steps(
      std::int64_t first,
      std::int64_t last,
      std::uint32_t step,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().steps.stream(
        rustbridge::wire::arguments<"first", "last", "step">(first, last, step),
        options,
        rustbridge::Beside());
  }

  /// Gives back what it gets, from an `async fn`.
  Person later(const Person& request) const { return this->methods().later.call(request); }

  /// Gives back what it gets, from an `async fn`.
  Person later(const Person& request, const rustbridge::CallOptions& options) const {
    return this->methods().later.call(request, options);
  }

  /// Gives back what it gets, from an `async fn`.
  /// Doesn't wait for it.
  std::future<Person> later_async(const Person& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().later.call_async(request, options, rustbridge::Beside());
  }

  /// Gives back what it gets, from an `async fn`.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation later_async(
      const Person& request,
      std::function<void(rustbridge::Outcome<Person>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().later.call_async(request, options, rustbridge::Beside(), std::move(done));
  }

  /// Who is called so. A name that is empty is hidden.
  Person search(std::string_view name, const std::vector<Person>& people) const {
    return this->methods().search.call(rustbridge::wire::arguments<"name", "people">(name, people));
  }

  /// Who is called so. A name that is empty is hidden.
  Person search(
      std::string_view name,
      const std::vector<Person>& people,
      const rustbridge::CallOptions& options) const {
    return this->methods().search.call(rustbridge::wire::arguments<"name", "people">(name, people), options);
  }

  /// Who is called so, from an `async fn`.
  Person search_later(std::string_view name, const std::vector<Person>& people) const {
    return this->methods().search_later.call(rustbridge::wire::arguments<"name", "people">(name, people));
  }

  /// Who is called so, from an `async fn`.
  Person search_later(
      std::string_view name,
      const std::vector<Person>& people,
      const rustbridge::CallOptions& options) const {
    return this->methods().search_later.call(rustbridge::wire::arguments<"name", "people">(name, people), options);
  }

  /// Who is called so, from an `async fn`.
  /// Doesn't wait for it.
  std::future<Person> search_later_async(
      std::string_view name,
      const std::vector<Person>& people,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().search_later.call_async(
        rustbridge::wire::arguments<"name", "people">(name, people),
        options,
        rustbridge::Beside());
  }

  /// Who is called so, from an `async fn`.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation search_later_async(
      std::string_view name,
      const std::vector<Person>& people,
      std::function<void(rustbridge::Outcome<Person>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().search_later.call_async(
        rustbridge::wire::arguments<"name", "people">(name, people),
        options,
        rustbridge::Beside(),
        std::move(done));
  }

  /// Takes no red.
  Color paint(Color color, std::optional<Color> better = std::nullopt) const {
    return this->methods().paint.call(rustbridge::wire::arguments<"color", "better">(color, better));
  }

  /// Takes no red.
  Color paint(Color color, std::optional<Color> better, const rustbridge::CallOptions& options) const {
    return this->methods().paint.call(rustbridge::wire::arguments<"color", "better">(color, better), options);
  }

  /// Does nothing where there's power.
  void power(bool request) const { this->methods().power.call(request); }

  /// Does nothing where there's power.
  void power(bool request, const rustbridge::CallOptions& options) const {
    this->methods().power.call(request, options);
  }

  /// Somebody again and again, each time a year older.
  /// A range of what the plugin sends, to go through once.
  rustbridge::TypedStream<Person> repeat(const Repeat& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().repeat.stream(request, options, rustbridge::Beside());
  }

  /// Those who are sent, with how many there are together with those before.
  /// `items`: a range of what is sent, as fast as the plugin takes it.
  template <std::ranges::input_range Items>
  PagePerson collect(std::uint64_t before, Items&& items, const rustbridge::CallOptions& options = {}) const {
    return this->methods().collect.template send<Person>(before, items, options, rustbridge::Beside());
  }

  /// Those who are sent and are between the two ages, both included.
  /// `items`: a range of what is sent, as fast as the plugin takes it.
  template <std::ranges::input_range Items>
  std::vector<Person> between(
      std::uint32_t youngest,
      std::uint32_t oldest,
      Items&& items,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().between.template send<Person>(
        rustbridge::wire::arguments<"youngest", "oldest">(youngest, oldest),
        items,
        options,
        rustbridge::Beside());
  }

  /// Sends back each shape that it's sent.
  /// Takes what is sent by `send`, until `finish`, and is a range of what the plugin sends.
  rustbridge::Exchange<Shape, Shape> reshape(const rustbridge::CallOptions& options = {}) const {
    return this->methods().reshape.template exchange<Shape>(std::monostate(), options, rustbridge::Beside());
  }

  /// A counter that begins there.
  Counter counter(std::int64_t start, const rustbridge::CallOptions& options = {}) const {
    return this->methods().counter.call(start, options, this->beside());
  }

  /// Counters in a message: the first begins there, and the others at what follows.
  Counters counters(std::span<const std::int64_t> request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().counters.call(request, options, this->beside());
  }

  /// Takes from one counter what it adds to another, and gives what both have then.
  std::tuple<std::int64_t, std::int64_t> transfer(
      const Counter& from,
      const Counter& to,
      std::int64_t count,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().transfer.call(
        rustbridge::wire::arguments<"from", "to", "count">(from, to, count),
        options,
        this->beside());
  }

  /// What counters have counted in all.
  std::int64_t total(const Counters& request, const rustbridge::CallOptions& options = {}) const {
    return this->methods().total.call(request, options, this->beside());
  }

  /// The message of a random value, as bytes: what the method of that name takes and gives.
  std::vector<std::byte> random(const Random& request) const { return this->methods().random.call(request); }

  /// The message of a random value, as bytes: what the method of that name takes and gives.
  std::vector<std::byte> random(const Random& request, const rustbridge::CallOptions& options) const {
    return this->methods().random.call(request, options);
  }

  /// The methods that give back what they get, of which there are random values.
  std::vector<std::string> echoes() const { return this->methods().echoes.call(std::monostate()); }

  /// The methods that give back what they get, of which there are random values.
  std::vector<std::string> echoes(const rustbridge::CallOptions& options) const {
    return this->methods().echoes.call(std::monostate(), options);
  }

  /// A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it.
  std::optional<std::string> as_json(std::string_view method, std::span<const std::byte> message) const {
    return this->methods().as_json.call(rustbridge::wire::arguments<"method", "message">(method, message));
  }

  /// A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it.
  std::optional<std::string> as_json(
      std::string_view method,
      std::span<const std::byte> message,
      const rustbridge::CallOptions& options) const {
    return this->methods().as_json.call(rustbridge::wire::arguments<"method", "message">(method, message), options);
  }

  /// The message of what is JSON of what the method of that name takes and gives.
  std::vector<std::byte> as_message(std::string_view method, std::string_view json) const {
    return this->methods().as_message.call(rustbridge::wire::arguments<"method", "json">(method, json));
  }

  /// The message of what is JSON of what the method of that name takes and gives.
  std::vector<std::byte> as_message(
      std::string_view method,
      std::string_view json,
      const rustbridge::CallOptions& options) const {
    return this->methods().as_message.call(rustbridge::wire::arguments<"method", "json">(method, json), options);
  }

  /// Asks the host's directory for somebody.
  std::optional<Person> ask(std::string_view name) const { return this->methods().ask.call(name); }

  /// Asks the host's directory for somebody.
  std::optional<Person> ask(std::string_view name, const rustbridge::CallOptions& options) const {
    return this->methods().ask.call(name, options);
  }

  /// The same, from an `async fn` that waits for the host without a thread.
  Person ask_later(std::string_view name) const { return this->methods().ask_later.call(name); }

  /// The same, from an `async fn` that waits for the host without a thread.
  Person ask_later(std::string_view name, const rustbridge::CallOptions& options) const {
    return this->methods().ask_later.call(name, options);
  }

  /// The same, from an `async fn` that waits for the host without a thread.
  /// Doesn't wait for it.
  std::future<Person> ask_later_async(std::string_view name, const rustbridge::CallOptions& options = {}) const {
    return this->methods().ask_later.call_async(name, options, rustbridge::Beside());
  }

  /// The same, from an `async fn` that waits for the host without a thread.
  /// Doesn't wait for it: `done` is told of the end, once, on any thread. It mustn't block.
  rustbridge::Operation ask_later_async(
      std::string_view name,
      std::function<void(rustbridge::Outcome<Person>)> done,
      const rustbridge::CallOptions& options = {}) const {
    return this->methods().ask_later.call_async(name, options, rustbridge::Beside(), std::move(done));
  }

  /// How many there are in the host's directory.
  std::uint64_t ask_count() const { return this->methods().ask_count.call(std::monostate()); }

  /// How many there are in the host's directory.
  std::uint64_t ask_count(const rustbridge::CallOptions& options) const {
    return this->methods().ask_count.call(std::monostate(), options);
  }

  /// Has the host say how old people are, each by name.
  std::map<std::string, std::uint32_t> ask_ages(const std::vector<Person>& people) const {
    return this->methods().ask_ages.call(people);
  }

  /// Has the host say how old people are, each by name.
  std::map<std::string, std::uint32_t> ask_ages(
      const std::vector<Person>& people,
      const rustbridge::CallOptions& options) const {
    return this->methods().ask_ages.call(people, options);
  }

 private:
  using TypedClient::TypedClient;
};

inline std::int64_t Counter::add(std::int64_t more, const rustbridge::CallOptions& options) const {
  return this->methods().counter_add.call(more, options, this->beside());
}

inline std::int64_t Counter::add_later(std::int64_t more, const rustbridge::CallOptions& options) const {
  return this->methods().counter_add_later.call(more, options, this->beside());
}

inline std::future<std::int64_t> Counter::add_later_async(
    std::int64_t more,
    const rustbridge::CallOptions& options) const {
  return this->methods().counter_add_later.call_async(more, options, this->beside());
}

inline rustbridge::Operation Counter::add_later_async(
    std::int64_t more,
    std::function<void(rustbridge::Outcome<std::int64_t>)> done,
    const rustbridge::CallOptions& options) const {
  return this->methods().counter_add_later.call_async(more, options, this->beside(), std::move(done));
}

inline std::int64_t Counter::half(const rustbridge::CallOptions& options) const {
  return this->methods().counter_half.call(std::monostate(), options, this->beside());
}

inline bool Counter::within(std::int64_t least, std::int64_t most, const rustbridge::CallOptions& options) const {
  return this->methods().counter_within.call(
      rustbridge::wire::arguments<"least", "most">(least, most),
      options,
      this->beside());
}

inline std::int64_t Counter::get(const rustbridge::CallOptions& options) const {
  return this->methods().counter_get.call(std::monostate(), options, this->beside());
}

inline std::int64_t Counter::absorb(const Counter& other, const rustbridge::CallOptions& options) const {
  return this->methods().counter_absorb.call(other, options, this->beside());
}

inline rustbridge::TypedStream<std::int64_t> Counter::upto(
    std::int64_t end,
    const rustbridge::CallOptions& options) const {
  return this->methods().counter_upto.stream(end, options, this->beside());
}

template <std::ranges::input_range Items>
std::int64_t Counter::admit(Items&& items, const rustbridge::CallOptions& options) const {
  return this->methods().counter_admit.template send<Person>(std::monostate(), items, options, this->beside());
}

}  // namespace types

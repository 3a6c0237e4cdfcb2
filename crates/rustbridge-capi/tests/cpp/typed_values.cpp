/* Values of every type, written and read by a client that `rustbridge gen` writes: to the plugin and back, by what the page of the wire form
   says, and spoiled.
   Usage: typed_values TYPES VECTORS [VALUES], a line for each vector: method, bytes in hexadecimal digits or -, and `same`, `filled` or
   `refused`; and how many random values each method gets */
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>

#include "check.hpp"
#include "clients/types.hpp"

namespace {

using namespace rustbridge;
using types::Types;

/* How many random values each method gets if nobody says it; all of them together 1,000, and in a soak 100,000. */
std::uint64_t values() {
  const char* soak = std::getenv("RUSTBRIDGE_SOAK");
  return soak == nullptr ? 40 : 40 * std::strtoull(soak, nullptr, 10);
}

template <class Value>
std::string encoded(const Value& value) {
  wire::Output output;
  wire::encode(output, value, "test", "request");
  return std::string(output.bytes().text());
}

template <class Value>
Value decoded(std::string_view message) {
  return wire::decode<Value>(message, "test", "response");
}

/* Each method that gives back what it gets, with what it's called and its type. */
template <class Do>
void with_each(const Types& types, Do&& what) {
  using namespace types;
  what.template operator()<Every>("every", [&](const auto& value) { return types.every(value); });
  what.template operator()<Numbers>("numbers", [&](const auto& value) { return types.numbers(value); });
  what.template operator()<Texts>("texts", [&](const auto& value) { return types.texts(value); });
  what.template operator()<Times>("times", [&](const auto& value) { return types.times(value); });
  what.template operator()<Lists>("lists", [&](const auto& value) { return types.lists(value); });
  what.template operator()<Pairs>("pairs", [&](const auto& value) { return types.pairs(value); });
  what.template operator()<Person>("person", [&](const auto& value) { return types.person(value); });
  what.template operator()<PagePerson>("people", [&](const auto& value) { return types.people(value); });
  what.template operator()<Shape>("shape", [&](const auto& value) { return types.shape(value); });
  what.template operator()<Color>("color", [&](const auto& value) { return types.color(value); });
  what.template operator()<Mood>("mood", [&](const auto& value) { return types.mood(value); });
  what.template operator()<std::vector<types::Event>>("events", [&](const auto& value) { return types.events(value); });
  what.template operator()<Tagged>("tagged", [&](const auto& value) { return types.tagged(value); });
  what.template operator()<Untagged>("untagged", [&](const auto& value) { return types.untagged(value); });
  what.template operator()<Expr>("expr", [&](const auto& value) { return types.expr(value); });
  what.template operator()<Tree>("tree", [&](const auto& value) { return types.tree(value); });
  what.template operator()<Samples>("samples", [&](const auto& value) { return types.samples(value); });
  what.template operator()<Point>("point", [&](const auto& value) { return types.point(value); });
  what.template operator()<Celsius>("celsius", [&](const auto& value) { return types.celsius(value); });
  what.template operator()<Foreign>("foreign", [&](const auto& value) { return types.foreign(value); });
  what.template operator()<Bounded>("bounded", [&](const auto& value) { return types.bounded(value); });
  what.template operator()<Unit>("unit", [&](const auto& value) { return types.unit(value); });
  what.template operator()<Defaults>("defaults", [&](const auto& value) { return types.defaults(value); });
  what.template operator()<RenamedRecord>("renamed", [&](const auto& value) { return types.renamed(value); });
  what.template operator()<Dynamic>("any", [&](const auto& value) { return types.any(value); });
  what.template operator()<std::vector<double>>("doubles", [&](const auto& value) { return types.doubles(value); });
  what.template operator()<std::map<std::string, Person>>("map", [&](const auto& value) { return types.map(value); });
  what.template operator()<std::optional<Person>>("maybe", [&](const auto& value) { return types.maybe(value); });
  what.template operator()<std::tuple<std::uint8_t, std::string, std::optional<bool>>>(
      "tuple", [&](const auto& value) { return types.tuple(value); });
  what.template operator()<Duration>("duration", [&](const auto& value) { return types.duration(value); });
  what.template operator()<Timestamp>("timestamp", [&](const auto& value) { return types.timestamp(value); });
}

void random_values_come_back_as_they_were(const Types& types, std::uint64_t count) {
  std::set<std::string> methods;
  with_each(types, [&]<class Value>(std::string_view method, auto&& echo) {
    methods.emplace(method);
    std::uint64_t in_json = 0;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      std::vector<std::byte> random = types.random({.method = std::string(method), .seed = seed});
      std::string message(BytesView(random).text());
      auto value = decoded<Value>(message);
      std::string written = encoded(value);
      // Pairs of a hashed map come in an order of the plugin's.
      CHECK(written.size() == message.size());
      CHECK(method == "pairs" || method == "every" || written == message);
      CHECK(decoded<Value>(written) == value);
      CHECK(echo(value) == value);
      CHECK(encoded(echo(value)) == written);
      // What the plugin answers to the same in JSON is the same value, where JSON has a form for it.
      if (auto json = types.as_json(method, random)) {
        ++in_json;
        std::vector<std::byte> by_json = types.as_message(method, types.plugin().call_json(method, *json));
        CHECK(decoded<Value>(BytesView(by_json).text()) == value);
      }
    }
    CHECK(in_json > count / 4);
  });
  std::vector<std::string> echoes = types.echoes();
  CHECK(methods == std::set<std::string>(echoes.begin(), echoes.end()));
}

/* What is cut or too long is refused. What is spoiled is refused or read as something else that has as many bytes, and in no case more is
   touched than it has: the message is copied to memory of just its size, for memory checkers to see. */
void spoiled_messages_are_refused_or_read(const Types& types) {
  std::uint32_t random = 1;
  auto next = [&] {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return random;
  };
  std::size_t refusals = 0;
  with_each(types, [&]<class Value>(std::string_view method, auto&&) {
    std::vector<std::byte> message = types.random({.method = std::string(method), .seed = 3});
    auto refused = [&](std::span<const std::byte> bytes) {
      auto own = std::make_unique<std::byte[]>(bytes.size());
      std::copy(bytes.begin(), bytes.end(), own.get());
      try {
        auto value = wire::decode<Value>(BytesView(own.get(), bytes.size()), "test", "response");
        CHECK(encoded(value).size() <= bytes.size());
        return false;
      } catch (const Error& error) {
        // The variant that stands for those that aren't known is read, and not written.
        if (error.status() == Status::invalid_argument && (method == "mood" || method == "events")) {
          return false;
        }
        CHECK(error.status() == Status::internal && error.type() == "rustbridge.InvalidResponse");
        CHECK(error.message().starts_with("test: the plugin's response doesn't match its type: byte "));
        CHECK(error.details().starts_with(R"({"path":"response)"));
        ++refusals;
        return true;
      }
    };
    std::size_t step = message.size() / 200 + 1;
    for (std::size_t length = 0; length < message.size(); length += step) {
      CHECK(refused(std::span(message).first(length)));
    }
    std::vector<std::byte> longer = message;
    longer.push_back(std::byte{0});
    CHECK(refused(longer));
    for (int round = 0; round < 200 && !message.empty(); ++round) {
      std::vector<std::byte> spoiled = message;
      for (std::uint32_t times = next() % 4 + 1; times > 0; --times) {
        spoiled[next() % spoiled.size()] = static_cast<std::byte>(next() % 3 == 0 ? 0xFF : next() & 0xFF);
      }
      refused(spoiled);
    }
  });
  CHECK(refusals > 1000);
}

std::string bytes_of(std::string_view digits) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
    int byte = 0;
    std::from_chars(digits.data() + at, digits.data() + at + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

void every_vector_holds(const Types& types, const char* path) {
  std::ifstream file(path);
  std::string method, digits, kind;
  int count = 0;
  while (file >> method >> digits >> kind) {
    std::string message = bytes_of(digits);
    bool is_known = false;
    with_each(types, [&]<class Value>(std::string_view name, auto&& echo) {
      if (name != method) {
        return;
      }
      is_known = true;
      if (kind == "refused") {
        REFUSED(internal, decoded<Value>(message));
        return;
      }
      auto value = decoded<Value>(message);
      CHECK(encoded(value) == message);
      CHECK((echo(value) == value) == (kind == "same"));
    });
    CHECK(is_known);
    ++count;
  }
  CHECK(count > 50);
}

void values_are_what_they_are_in_cpp(const Types& types) {
  using namespace types;
  Person ada{.name = "Ada \xF0\x9F\x98\x80", .age = 36};
  CHECK(types.person(ada) == ada && !types.person(ada).email);
  CHECK(types.person({"", 0, "a@b"}).email == "a@b");
  CHECK(types.color(Color::dark_blue) == Color::dark_blue);
  CHECK(types.shape(Shape::Nothing()).is<Shape::Nothing>());
  Shape polygon = types.shape(Shape::Polygon{{{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}});
  CHECK(polygon.get_if<Shape::Polygon>() != nullptr && polygon.get_if<Shape::Circle>() == nullptr);
  CHECK(polygon.get_if<Shape::Polygon>()->value[1] == (Point{1.0, 0.0}));
  CHECK(polygon.visit([](const auto& one) { return std::same_as<decltype(one), const ShapePolygon&>; }));
  polygon.visit([](auto& one) {
    if constexpr (std::same_as<decltype(one), ShapePolygon&>) {
      one.value.push_back({1.0, 1.0});
    }
  });
  CHECK(polygon.get_if<Shape::Polygon>()->value.size() == 4);
  polygon.get_if<Shape::Polygon>()->value.pop_back();
  CHECK(types.area(polygon) == 0.5);
  CHECK(types.celsius({-273.15}).value == -273.15);
  CHECK(!types.maybe(std::nullopt));
  CHECK(types.tuple({std::uint8_t{255}, "x", std::nullopt}) == std::tuple(std::uint8_t{255}, std::string("x"), std::nullopt));
  std::map<std::string, Person> people{{"a", {"A", 1, {}}}, {"b", {"B", 2, {}}}};
  CHECK(types.map(people) == people);
  CHECK(types.length("gr\xC3\xB6\xC3\x9F""e") == 5);
  PagePerson page{.items = {{"A", 1, {}}, {"B", 2, {}}}, .total = 2};
  CHECK(types.oldest(page)->name == "B");
  CHECK(!types.oldest({}));
  Expr sum = Expr::Sum{Expr(Expr::Number{1.0}), Expr(Expr::Call{"f", {Expr::Number{2.0}}})};
  Expr expr = Expr::Negated{sum};
  Expr copy = expr;
  // A value that lies in the one that it's given to.
  Expr inner = expr;
  inner = *inner.get_if<Expr::Negated>()->value;
  CHECK(inner == sum && !(inner == expr));
  CHECK(types.expr(expr) == copy && !(copy == sum));
  std::vector<double> numbers{0.0, -1.5, INFINITY};
  CHECK(types.doubles(numbers) == numbers && types.doubles(std::array{0.5}) == std::vector{0.5} && types.doubles({}).empty());
  Numbers wide{.u128 = U128(1, 2), .i128 = I128(-5), .char_ = U'\U0001F600'};
  CHECK(types.numbers(wide) == wide && types.numbers(wide).i128 < I128(0) && U128(0, 1) > U128(UINT64_MAX));
}

void parameters_are_taken_one_by_one(const Types& types) {
  CHECK(types.part("gr\xC3\xB6\xC3\x9F""e", 1, 2) == "r\xC3\xB6");
  CHECK(types.part("abc", 1) == "bc" && types.part(std::string("abc"), 1, 1, {}) == "b");
  std::vector<std::byte> bytes{std::byte{1}, std::byte{2}};
  auto [person, names, numbers, color, blob, any] =
      types.several({"Ada", 36, {}}, {"a", "b"}, std::array{1.5, 2.5}, types::Color::green, bytes, Dynamic(Dynamic::List{1, "x"}));
  CHECK(person.name == "Ada" && names.size() == 2 && numbers[1] == 2.5 && color == types::Color::green && blob == bytes);
  CHECK(any == Dynamic(Dynamic::List{1, "x"}));
  auto without = types.several({}, {}, {}, types::Color::red, {});
  CHECK(!std::get<5>(without));
}

void times_are_as_exact_as_they_cross(const Types& types) {
  using namespace std::chrono;
  Timestamp now = system_clock::now();
  CHECK(types.timestamp(now) == now && types.timestamp(now).to<system_clock::duration>() == now.to<system_clock::duration>());
  Timestamp before = sys_time<nanoseconds>(nanoseconds(-1));
  CHECK(before == Timestamp(-1, 999'999'999) && types.timestamp(before) == before && before.to() == sys_time<nanoseconds>(nanoseconds(-1)));
  CHECK(Timestamp(-1, 1).to<seconds>() == sys_seconds(seconds(-1)));
  for (nanoseconds edge : {(nanoseconds::min)() + nanoseconds(1), (nanoseconds::max)()}) {
    CHECK(Timestamp(sys_time<nanoseconds>(edge)).to() == sys_time<nanoseconds>(edge));
  }
  Timestamp far(1'000'000'000'000, 0);
  CHECK(types.timestamp(far) == far && far > now);
  REFUSED(out_of_range, far.to());
  REFUSED(out_of_range, Timestamp(-1'000'000'000'000, 5).to());
  Duration span = milliseconds(1500);
  CHECK(span == Duration(1, 500'000'000) && types.duration(span).to<milliseconds>() == milliseconds(1500));
  CHECK(types.duration(Duration(UINT64_MAX, 999'999'999)).seconds == UINT64_MAX);
  REFUSED(out_of_range, Duration(UINT64_MAX, 0).to<seconds>());
  REFUSED(invalid_argument, Duration(seconds(-1)));
  CHECK(REFUSED(invalid_argument, types.timestamp(Timestamp(0, 1'000'000'000))).message() ==
        "timestamp: request: expected less than 1000000000 nanoseconds");
}

void dynamic_values_say_what_they_are(const Types& types) {
  for (const Dynamic& value :
       {Dynamic(), Dynamic(true), Dynamic(0), Dynamic(INT64_MIN), Dynamic(UINT64_MAX), Dynamic(1.5), Dynamic(""), Dynamic("x"),
        Dynamic(Dynamic::List{}), Dynamic(Dynamic::Map{}), Dynamic(Dynamic::List{1, Dynamic::Map{{"a", 2.0}}})}) {
    CHECK(types.any(value) == value);
  }
  CHECK(Dynamic(5U) == Dynamic(5) && Dynamic(5U).get_if<std::int64_t>() != nullptr);
  CHECK(Dynamic(UINT64_MAX).get_if<std::uint64_t>() != nullptr && Dynamic().is_null());
  // The plugin keeps them as JSON, which has neither.
  REFUSED(invalid_argument, types.any(Dynamic::Bytes{std::byte{1}}));
  REFUSED(invalid_argument, types.any(std::nan("")));
  CHECK(REFUSED(invalid_argument, types.any(Dynamic::Map{{"a", Dynamic::List{1, "\xFF"}}})).message() ==
        "any: request.a[1]: byte 0 of the text isn't UTF-8");
}

void what_is_left_to_the_plugin_has_its_default(const Types& types) {
  types::Defaults full = types.defaults({});
  CHECK(full.count == 7U && full.name == "nobody" && full.list->size() == 3);
  CHECK(full.maybe && *full.maybe == 9U);
  // None of its own, not the plugin's.
  types::Defaults none = types.defaults({.count = 1, .maybe = std::optional<std::uint64_t>()});
  CHECK(none.count == 1U && none.name == "nobody" && none.maybe && !*none.maybe);
}

void what_does_not_fit_is_refused_with_its_path(const Types& types) {
  using namespace types;
  auto unfit = [](auto&& call, std::string_view message, std::string_view path) {
    Error error = REFUSED(invalid_argument, call());
    CHECK(error.message() == message && error.type() == "rustbridge.InvalidRequest");
    CHECK(error.details() == "{\"path\":\"" + std::string(path) + "\"}");
  };
  unfit([&] { types.person({"\xFF", 2, {}}); }, "person: request.name: byte 0 of the text isn't UTF-8", "request.name");
  unfit([&] { types.people({{{"A", 1, {}}, {"ab\xED\xA0\x80", 5, {}}}, 0}); },
        "people: request.items[1].name: byte 2 of the text isn't UTF-8", "request.items[1].name");
  unfit([&] { types.length("\xC0\x80"); }, "length: request: byte 0 of the text isn't UTF-8", "request");
  unfit([&] { types.search("A", std::vector<Person>{{"\x80", 1, {}}}); }, "search: request.people[0].name: byte 0 of the text isn't UTF-8",
        "request.people[0].name");
  unfit([&] { types.color(static_cast<Color>(3)); }, "color: request: there's no variant 3", "request");
  unfit([&] { types.numbers({.char_ = char32_t{0xD800}}); }, "numbers: request.char: 55296 isn't a character", "request.char");
  unfit([&] { types.tuple({std::uint8_t{1}, "\xFF", true}); }, "tuple: request[1]: byte 0 of the text isn't UTF-8", "request[1]");
  unfit([&] { types.expr(Expr::Negated{}); }, "expr: request: the box is empty", "request");
  unfit([&] { types.untagged(Untagged::Both{1, "\xFF"}); }, "untagged: request[1]: byte 0 of the text isn't UTF-8", "request[1]");
  REFUSED(failed_precondition, *Expr::Negated{}.value);
  // What the plugin refuses itself.
  CHECK(REFUSED(invalid_argument, types.bounded({.share = 101})).message().find("at most 100") != std::string::npos);
  CHECK(REFUSED(invalid_argument, types.area(Shape::Nothing())).message() == "nothing has no area");
}

void answers_that_are_wrong_are_refused() {
  using namespace types;
  auto wrong = []<class Value>(std::type_identity<Value>, std::string_view digits, std::string_view why) {
    Error error = REFUSED(internal, decoded<Value>(bytes_of(digits)));
    if (error.message().find(why) == std::string::npos) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    CHECK(error.message().find(why) != std::string::npos);
  };
  wrong(std::type_identity<std::optional<Person>>(), "02", "byte 0: expected 0 or 1, found 2 (response)");
  wrong(std::type_identity<Color>(), "0300", "byte 0: there's no variant 3");
  wrong(std::type_identity<Color>(), "ffff", "there's no variant 65535");
  wrong(std::type_identity<Shape>(), "0300", "there's no variant 3");
  wrong(std::type_identity<std::vector<double>>(), "01000000000000010000000000000000", "byte 7: padding isn't zero");
  wrong(std::type_identity<std::vector<double>>(), "ffffffff00000000", "expected 4294967295 items, but only");
  wrong(std::type_identity<std::map<std::string, std::uint8_t>>(), "0200000001000000610101000000610", "duplicate key in a map");
  wrong(std::type_identity<Person>(), "01000000ff0000000000", "byte 4: text isn't UTF-8 (response.name)");
  wrong(std::type_identity<PagePerson>(), "01000000010000006100000000020000000000000000", "(response.items[0].email)");
  wrong(std::type_identity<Timestamp>(), "000000000000000000ca9a3b", "expected less than 1000000000 nanoseconds");
  wrong(std::type_identity<Dynamic>(), "0a", "unknown kind of dynamic value: 10");
  wrong(std::type_identity<Dynamic>(), "040000000000000000", "fits an i64, but is encoded as a u64");
  wrong(std::type_identity<Dynamic>(), "0902000000010000006100010000006100", "duplicate key in a map (response.a)");
  wrong(std::type_identity<Dynamic>(), "08ffffffff", "items, but only");
  wrong(std::type_identity<char32_t>(), "00001100", "1114112 isn't a character");
}

void what_is_nested_too_deep_is_neither_written_nor_read(const Types& types) {
  using types::Expr;
  auto chain = [](int length) {
    Expr expr = Expr::Number{1.0};
    for (int at = 1; at < length; ++at) {
      expr = Expr::Negated{std::move(expr)};
    }
    return expr;
  };
  CHECK(types.expr(chain(128)) == chain(128));
  CHECK(REFUSED(invalid_argument, types.expr(chain(129))).message() ==
        "expr: request: the value is nested deeper than 128 levels, the limit of a message: reduce its nesting");
  std::string deep;
  for (int at = 0; at < 10'000; ++at) {
    deep += std::string("\1\0", 2);
  }
  CHECK(REFUSED(internal, decoded<Expr>(deep)).message().find("nested deeper than 128 levels") != std::string::npos);
  Dynamic nested;
  for (int at = 0; at < 129; ++at) {
    nested = Dynamic::List{std::move(nested)};
  }
  REFUSED(invalid_argument, types.any(nested));
  deep.clear();
  for (int at = 0; at < 10'000; ++at) {
    deep += std::string("\x08\1\0\0\0", 5);
  }
  CHECK(REFUSED(internal, decoded<Dynamic>(deep)).message().find("nested deeper than 128 levels") != std::string::npos);
}

void a_value_becomes_what_it_had_inside() {
  using types::Expr;
  Dynamic value = Dynamic::List{Dynamic(7), Dynamic(Dynamic::List{Dynamic("long enough to be elsewhere in memory")})};
  Dynamic other = value;
  value = (*value.get_if<Dynamic::List>())[0];
  CHECK(value == Dynamic(7));
  Dynamic::List items = *other.get_if<Dynamic::List>();
  other = items[1];
  other = (*other.get_if<Dynamic::List>())[0];
  CHECK(*other.get_if<std::string>() == "long enough to be elsewhere in memory");
  Expr expr = Expr::Negated{Expr(Expr::Negated{Expr(Expr::Number{5.0})})};
  expr = *expr.get_if<Expr::Negated>()->value;
  expr = std::move(*expr.get_if<Expr::Negated>()->value);
  CHECK(expr == Expr(Expr::Number{5.0}));
}

void large_messages_go_through_memory_of_their_own(const Types& types) {
  std::vector<double> many(100'000);
  for (std::size_t at = 0; at < many.size(); ++at) {
    many[at] = static_cast<double>(at);
  }
  for (int round = 0; round < 3; ++round) {
    CHECK(types.doubles(many) == many);
    CHECK(types.length(std::string(5000, 'a')) == 5000);
  }
}

}  // namespace

int main(int count, char** arguments) {
  CHECK(count == 3 || count == 4);
  auto types = Types::load(arguments[1]);
  random_values_come_back_as_they_were(types, count == 4 ? std::strtoull(arguments[3], nullptr, 10) : values());
  spoiled_messages_are_refused_or_read(types);
  every_vector_holds(types, arguments[2]);
  values_are_what_they_are_in_cpp(types);
  parameters_are_taken_one_by_one(types);
  times_are_as_exact_as_they_cross(types);
  dynamic_values_say_what_they_are(types);
  what_is_left_to_the_plugin_has_its_default(types);
  what_does_not_fit_is_refused_with_its_path(types);
  answers_that_are_wrong_are_refused();
  what_is_nested_too_deep_is_neither_written_nor_read(types);
  a_value_becomes_what_it_had_inside();
  large_messages_go_through_memory_of_their_own(types);
  std::puts("typed_values: ok");
}

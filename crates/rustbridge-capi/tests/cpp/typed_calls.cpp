/* What else a client does that `rustbridge gen` writes: errors with types, calls that end later, streams, objects, services, and plugins of
   other types.
   Usage: typed_calls TYPES HELLO */
#include <list>
#include <stdexcept>

#include "check.hpp"
#include "clients/types.hpp"

namespace {

using namespace rustbridge;
using namespace types;
using std::chrono::seconds;

const Person ada{"Ada", 36, {}}, alan{"Alan", 41, {}}, eve{"Eve", 7, {}};

const CallOptions soon{.timeout = seconds(30)};
const CallOptions over{.timeout = seconds(0)};

/* The exception that something throws. */
template <class Exception, class Do>
Exception thrown(int line, Do&& what) {
  try {
    what();
  } catch (const Exception& exception) {
    return exception;
  } catch (const std::exception& other) {
    std::fprintf(stderr, "%d: another was thrown: %s\n", line, other.what());
    std::exit(1);
  }
  std::fprintf(stderr, "%d: nothing was thrown\n", line);
  std::exit(1);
}

#define THROWN(type, ...) thrown<type>(__LINE__, [&] { static_cast<void>(__VA_ARGS__); })

void an_error_is_an_exception_of_its_own(const Types& types) {
  for (bool with_options : {false, true}) {
    std::vector<Person> people{ada, alan, eve};
    auto nobody = THROWN(SearchException, with_options ? types.search("Ann", people, soon) : types.search("Ann", people));
    CHECK(nobody.error() == SearchError(SearchError::Nobody{"Ann", {ada, alan}}));
    CHECK(nobody.status() == Status::not_found && nobody.type() == "SearchError.Nobody");
    CHECK(nobody.message() == R"(nobody is called "Ann")" && std::string(nobody.what()) == nobody.message());
  }
  std::vector<Person> some{ada, eve};
  CHECK(types.search("Eve", some) == eve);
  CHECK(THROWN(SearchException, types.search("", {})).error().is<SearchError::Hidden>());
  auto crowd = THROWN(SearchException, types.search("Ada", {ada, eve, ada}));
  CHECK(crowd.error() == SearchError(SearchError::Crowd{2, {36.0, 7.0, 36.0}}) && crowd.status() == Status::resource_exhausted);
  CHECK(THROWN(RefusedException, types.paint(Color::red, Color::green)).error() == (Refused{Color::red, Color::green}));
  CHECK(!THROWN(RefusedException, types.paint(Color::red)).error().better);
  CHECK(THROWN(PowerException, types.power(false)).error() == PowerError::out);
  types.power(true);
  // It's the host's own error, for who doesn't look closer.
  CHECK(REFUSED(unavailable, types.power(false)).message() == "it's dark");
  CHECK(THROWN(OddException, types.counter(7).half()).error().count == 7);
  CHECK(types.counter(8).half() == 4);
}

void bytes_and_text_alone_go_as_they_are(const Types& types) {
  const std::vector<std::byte> data{std::byte{0}, std::byte{255}};
  CHECK(types.hex(data) == "00ff" && types.hex(data, soon) == "00ff" && types.nonzero(data) == 1);
  CHECK(types.unhex("00ff") == data && types.unhex("").empty() && types.hex({}).empty());
  CHECK(types.magic().size() == 4 && types.magic()[0] == std::byte{0x89});
  const std::vector<std::byte> large(100'000, std::byte{7});
  CHECK(types.unhex(types.hex(large)) == large);
  CHECK(types.hex_later_async(data).get() == "00ff" && types.hex_later(data) == "00ff");
  REFUSED(invalid_argument, types.unhex("abc"));
  REFUSED(invalid_argument, types.unhex("\xff"));
  REFUSED(deadline_exceeded, types.hex(data, over));
}

void others_errors_stay_as_they_are(const Types& types) {
  Error old = REFUSED(out_of_range, types.aged(ada, UINT32_MAX));
  CHECK(old.message() == "nobody gets so old" && !old.value());
  REFUSED(invalid_argument, types.later({}));
  REFUSED(deadline_exceeded, types.person(ada, over));
  // An error that isn't what the client takes it for keeps its message.
  std::string payload("\x01\0\0\0\x05\0\0\0\2\0\0\0hi\1\0\0\0A\0\0\0\0\0\xFF\xFF", 26);
  Error strange = Error::of(RB_NOT_FOUND, payload);
  CHECK(strange.message() == "hi" && strange.type() == "A" && strange.value() == "\xFF\xFF");
  try {
    rustbridge::detail::raise<SearchException>(strange);
  } catch (const SearchException&) {
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.message() == "hi");
  }
}

void calls_end_later(const Types& types) {
  CHECK(types.later_async(ada).get() == ada);
  CHECK(types.later(ada) == ada && types.later(ada, soon) == ada);
  auto hidden = THROWN(SearchException, types.search_later_async("", {}).get());
  CHECK(hidden.error().is<SearchError::Hidden>());
  CHECK(REFUSED(deadline_exceeded, types.later_async(ada, over).get()).status() == Status::deadline_exceeded);
  // What doesn't fit is refused at once.
  REFUSED(invalid_argument, types.later_async({"\xFF", 1, {}}));

  std::promise<Outcome<Person>> told;
  types.aged_async(ada, 5, [&](Outcome<Person> outcome) { told.set_value(std::move(outcome)); });
  Outcome<Person> older = told.get_future().get();
  CHECK(older && older.value().age == 41 && older.failure() == nullptr);
  std::promise<Outcome<Person>> failed;
  types.search_later_async("Ann", {ada}, [&](Outcome<Person> outcome) { failed.set_value(std::move(outcome)); }, soon);
  Outcome<Person> nobody = failed.get_future().get();
  CHECK(!nobody && nobody.failure() != nullptr);
  CHECK(THROWN(SearchException, nobody.value()).error().is<SearchError::Nobody>());
  REFUSED(invalid_argument, types.later_async(ada, std::function<void(Outcome<Person>)>()));
}

void streams_give_values(const Types& types) {
  for (std::uint32_t times : {0U, 1U, 1000U}) {
    std::uint32_t count = 0;
    for (Person& person : types.repeat({ada, times})) {
      CHECK(person.name == "Ada" && person.age == 36 + count);
      ++count;
    }
    CHECK(count == times);
  }
  // Left early.
  for (const Person& person : types.repeat({ada, UINT32_MAX})) {
    CHECK(person == ada);
    break;
  }
  std::vector<std::uint32_t> ages;
  REFUSED(out_of_range, [&] {
    for (const Person& person : types.repeat({{"Ada", UINT32_MAX - 2, {}}, 10})) {
      ages.push_back(person.age);
    }
  }());
  CHECK((ages == std::vector{UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX}));
  CHECK(REFUSED(invalid_argument, types.repeat({{"\xFF", 1, {}}, 1})).message() ==
        "repeat: request.person.name: byte 0 of the text isn't UTF-8");
  auto steps = types.steps(0, 10, 4, soon);
  CHECK(steps.next() == 0 && steps.next() == 4 && steps.next() == 8 && !steps.next());
  REFUSED(invalid_argument, types.steps(0, 10, 0).next());
  auto cancelled = types.repeat({ada, UINT32_MAX});
  CHECK(cancelled.next() == ada);
  cancelled.cancel();
  REFUSED(cancelled, [&] {
    while (cancelled.next()) {
    }
  }());
}

void items_are_sent_from_any_range(const Types& types) {
  std::vector<Person> people;
  for (std::uint32_t age = 0; age < 1000; ++age) {
    people.push_back({"person " + std::to_string(age), age, {}});
  }
  CHECK(types.collect(5, people) == (PagePerson{people, 1005}));
  CHECK(types.collect(5, std::list<Person>()) == (PagePerson{{}, 5}));
  auto grown = people | std::views::filter([](const Person& person) { return person.age >= 998; });
  CHECK(types.collect(0, grown, soon).items.size() == 2);
  CHECK(types.between(10, 12, people).size() == 3);
  std::vector<Person> wrong{ada, {"\xFF", 1, {}}};
  CHECK(REFUSED(invalid_argument, types.collect(0, wrong)).message() == "collect: items[1].name: byte 0 of the text isn't UTF-8");
  auto broken = people | std::views::transform([](const Person& person) {
                  if (person.age == 3) {
                    throw std::runtime_error("the source is broken");
                  }
                  return person;
                });
  CHECK(std::string(THROWN(std::runtime_error, types.collect(0, broken)).what()) == "the source is broken");
  CHECK(types.collect(0, std::vector{ada}).total == 1);
}

void values_go_both_ways(const Types& types) {
  std::vector<Shape> shapes{Shape::Nothing(), Shape::Circle{2.5}, Shape::Polygon{{{0, 1}, {2, 3}}}};
  auto both = types.reshape();
  for (int round = 0; round < 100; ++round) {
    for (const Shape& shape : shapes) {
      CHECK(both.send(shape));
      CHECK(both.next() == shape);
    }
  }
  CHECK(both.send_all(shapes));
  both.finish();
  std::vector<Shape> back;
  for (Shape& shape : both) {
    back.push_back(std::move(shape));
  }
  CHECK(back == shapes && !both.next());
  // One thread sends while another takes.
  auto many = types.reshape(soon);
  std::thread sender([&] {
    for (int round = 0; round < 1000; ++round) {
      many.send_all(shapes);
    }
    many.finish();
  });
  std::size_t count = 0;
  for (const Shape& shape : many) {
    CHECK(shape == shapes[count++ % shapes.size()]);
  }
  sender.join();
  CHECK(count == 3000);
  auto given_up = types.reshape();
  given_up.send(shapes[1]);
}

void objects_have_methods_of_their_own(const Types& types) {
  Counter counter = types.counter(40);
  CHECK(counter.add(2) == 42 && counter.get() == 42 && counter.get(soon) == 42);
  std::vector<std::int64_t> numbers;
  for (std::int64_t number : counter.upto(45)) {
    numbers.push_back(number);
  }
  CHECK((numbers == std::vector<std::int64_t>{42, 43, 44}));
  CHECK(counter.admit(std::vector{ada, alan, eve}) == 45);
  CHECK(counter.within(45, 45) && !counter.within(46, 50));
  REFUSED(out_of_range, counter.add(INT64_MAX));
  REFUSED(deadline_exceeded, counter.add_later_async(1, over).get());
  std::vector<std::future<std::int64_t>> later;
  for (std::int64_t number = 0; number < 100; ++number) {
    later.push_back(counter.add_later_async(number));
  }
  for (auto& one : later) {
    one.get();
  }
  CHECK(counter.get() == 4995);
  Counter moved = std::move(counter);
  CHECK(moved.get() == 4995 && moved && !counter);
  REFUSED(invalid_argument, counter.get());
  REFUSED(invalid_argument, Counter().get());
  CHECK(moved.release() == Status::ok && moved.release() == Status::invalid_argument);
  REFUSED(invalid_argument, moved.add(1));
  REFUSED(invalid_argument, moved.upto(1));
  REFUSED(invalid_argument, moved.add_later_async(1));
}

void objects_are_lent_and_come_in_messages(const char* path, const Types& types) {
  Counter one = types.counter(1), other = types.counter(20);
  CHECK(one.absorb(other) == 21 && one.absorb(one) == 42);
  CHECK(types.transfer(one, other, 2) == std::tuple(std::int64_t{40}, std::int64_t{22}));
  Counters counters = types.counters(std::vector<std::int64_t>{1, 20, 300});
  CHECK(counters.first && counters.others.size() == 2 && counters.name == "all");
  CHECK(counters.others[0].get() == 20 && counters.others[1].get() == 300 && counters.first->get() == 1);
  CHECK(types.total(counters) == 321);
  counters.others.push_back(std::move(other));
  CHECK(types.total(counters, soon) == 343);
  CHECK(!types.counters({}).first);
  // Those that hold nothing, and those of another instance.
  counters.others.emplace_back();
  CHECK(REFUSED(invalid_argument, types.total(counters)).message() ==
        "total: request.others[3]: the object was released, or moved elsewhere");
  Types another = Types::load(path);
  counters.others.back() = another.counter(2);
  CHECK(REFUSED(invalid_argument, types.total(counters)).message() == "total: request.others[3]: it's an object of another instance");
  CHECK(REFUSED(invalid_argument, one.absorb(counters.others.back())).message() ==
        "Counter.absorb: request: it's an object of another instance");
  CHECK(counters.others.back().get() == 2);
}

void answers_with_wrong_positions_release_their_objects(const Types& types) {
  auto read = [&](std::string_view message, std::vector<Counter>& came) {
    std::vector<Object> objects;
    for (Counter& one : came) {
      Object untyped(one.untyped().instance(), one.untyped().number());
      objects.push_back(std::move(untyped));
    }
    return wire::decode<std::vector<Counter>>(message, "test", "response", objects);
  };
  struct {
    std::string_view message;
    std::string_view why;
  } wrong[] = {
      {std::string_view("\1\0\0\0\2\0\0\0", 8),
       "byte 4: object 2 is missing: 2 objects accompany the message, and positions count from 0 (response[0])"},
      {std::string_view("\2\0\0\0\0\0\0\0\0\0\0\0", 12), "byte 8: object 0 occurs twice in the message, expected once (response[1])"},
      {std::string_view("\1\0\0\0\0", 5), "byte 0: expected 1 items, but only"},
  };
  for (const auto& [message, why] : wrong) {
    std::vector<Counter> came;
    came.push_back(types.counter(0));
    came.push_back(types.counter(1));
    Error error = REFUSED(internal, read(message, came));
    CHECK(error.message().find(why) != std::string::npos);
    REFUSED(not_found, came[0].get());
    REFUSED(not_found, came[1].get());
  }
}

/* Knows Ada, and throws in every way there is. */
class Known : public Directory {
 public:
  std::optional<Person> find(const std::string& name) override {
    if (name == "thrown") {
      throw std::runtime_error("thrown");
    }
    if (name == "spoiled") {
      return Person{"\xFF", 1, {}};
    }
    return name == ada.name ? std::optional(ada) : std::nullopt;
  }
  Person fetch(const std::string& name) override {
    if (name != ada.name) {
      throw Error(Status::not_found, "nobody is called " + name, "Known.Nobody", R"({"name":1})");
    }
    return ada;
  }
  std::uint64_t count() override {
    const ServiceCall* call = ServiceCall::current();
    auto user = call->metadata.get("user");
    bool is_late = call->cancelled() || (call->time_left && *call->time_left < std::chrono::milliseconds(1));
    asked_by = std::to_string(call->number) + " " + std::string(user.value_or("nobody")) + (is_late ? ", late" : "");
    return ++counted;
  }

  std::atomic<std::uint64_t> counted = 0;
  std::string asked_by;
};

class Old : public Ages {
 public:
  std::map<std::string, std::uint32_t> of(const std::vector<Person>& people) override {
    std::map<std::string, std::uint32_t> ages;
    for (const Person& person : people) {
      ages[person.name] = person.age;
    }
    return ages;
  }
};

void services_are_called_by_the_plugin(const char* path) {
  auto known = std::make_shared<Known>();
  Types types = Types::load(path, {}, {.directory = known, .ages = std::make_shared<Old>()});
  CHECK(types.ask("Ada") == ada && !types.ask("Eve"));
  CHECK(types.ask_later("Ada") == ada && types.ask_later_async("Ada").get() == ada);
  Error nobody = REFUSED(not_found, types.ask_later("Eve"));
  CHECK(nobody.message() == "nobody is called Eve" && nobody.type() == "Known.Nobody" && nobody.details() == R"({"name":1})");
  CHECK(types.ask_count() == 1 && types.ask_count(soon) == 2 && known->counted == 2);
  CallOptions numbered{.timeout = std::chrono::minutes(1), .number = 7};
  numbered.metadata.add("user", "ada");
  CHECK(known->asked_by == "0 nobody" && types.ask_count(numbered) == 3 && known->asked_by == "7 ada");
  CHECK((types.ask_ages({ada, eve}) == std::map<std::string, std::uint32_t>{{"Ada", 36}, {"Eve", 7}}));
  CHECK(REFUSED(internal, types.ask("thrown")).message() == "thrown");
  // An answer of the host's own that doesn't fit.
  CHECK(REFUSED(internal, types.ask("spoiled")).message() == "directory.find: response.name: byte 0 of the text isn't UTF-8");
  CHECK(REFUSED(invalid_argument, rustbridge::wire::decode<std::string>(BytesView(std::string_view("\1\0\0\0\xff", 5)), "directory.find", "request", {}, nullptr, rustbridge::wire::request_role)).message() ==
        "directory.find: the plugin's request doesn't match its type: byte 4: text isn't UTF-8 (request)");

  // Those that aren't offered, and those that a host offers to a plugin that it loads itself.
  Types without = Types::load(path, {}, {.ages = std::make_shared<Old>()});
  CHECK(without.ask_ages({ada}).size() == 1);
  REFUSED(not_found, without.ask("Ada"));
  Config config;
  TypesHost{.directory = known, .ages = nullptr}.add_to(config);
  CHECK(config.services.size() == 3);
  Plugin plugin = Plugin::load(path, config);
  CHECK(Types::of(plugin).ask("Ada") == ada);
}

void a_client_closes_what_it_has_loaded(const char* path) {
  std::optional<Types> types = Types::load(path, {.name = "own"});
  CHECK(types->plugin() && types->length("abc") == 3);
  Counter left = types->counter(1);
  Types moved = std::move(*types);
  REFUSED(failed_precondition, types->length("abc"));
  CHECK(moved.length("abc") == 3);
  moved.plugin().close(seconds(30));
  REFUSED(unavailable, moved.length("abc"));
  REFUSED(unavailable, left.get());
  Plugin lent = Plugin::load(path);
  {
    Types of = Types::of(lent);
    CHECK(of.length("abc") == 3 && !of.plugin());
  }
  CHECK(lent.state() == State::active);
}

void a_client_of_other_types_is_refused_when_it_is_made(const char* path, const char* hello) {
  CHECK(REFUSED(not_found, Types::load(hello)).message().find("no method `every`") != std::string::npos);
  Plugin plugin = Plugin::load(path);
  std::string other(types::detail::client_schema);
  std::string_view before = R"({"name":"age","type":"u32"})";
  other.replace(other.find(before), before.size(), R"({"name":"age","type":"string"})");
  Error error = REFUSED(failed_precondition, TypedMethod<Person>(plugin.handle(), "person", std::string(32, '0'), other));
  CHECK(error.message().find("`request.age`: the client has String, and the plugin u32") != std::string::npos);
  REFUSED(invalid_argument, TypedMethod<Person>(plugin.handle(), "person", "0", types::detail::client_schema));
  REFUSED(invalid_argument, TypedMethod<Person>(plugin.handle(), "person", std::string(32, '0'), "{"));
}

/* Enums that may have more variants than a client knows, as the core resolves them for it. */
struct Old1 {
  std::uint32_t value{};
};
struct OldUnknown {};
struct OldEnum : OneOf<Old1, OldUnknown> {
  using OneOf::OneOf;
};
enum class OldColor : std::uint16_t { red = 0, unknown = 0xFFFF };

}  // namespace

template <>
struct rustbridge::wire::Codec<Old1> : Variant<Old1, Field<"value", &Old1::value>> {};
template <>
struct rustbridge::wire::Codec<OldEnum> : Enum<OldEnum, 2, Size::varies, Variants::open> {};
template <>
struct rustbridge::wire::Codec<OldColor> : Choice<OldColor, 1, Variants::open> {};

namespace {

void variants_that_are_not_known_are_read_and_never_written() {
  CHECK(wire::decode<OldEnum>(std::string_view("\xFF\xFF", 2), "test", "response").is<OldUnknown>());
  CHECK(wire::decode<OldEnum>(std::string_view("\0\0\5\0\0\0", 6), "test", "response").get_if<Old1>()->value == 5);
  CHECK(wire::decode<OldColor>(std::string_view("\xFF\xFF", 2), "test", "response") == OldColor::unknown);
  REFUSED(internal, wire::decode<OldColor>(std::string_view("\1\0", 2), "test", "response"));
  REFUSED(internal, wire::decode<OldEnum>(std::string_view("\1\0", 2), "test", "response"));
  wire::Output output;
  for (auto&& write : std::initializer_list<std::function<void()>>{
           [&] { wire::encode(output, OldEnum(OldUnknown()), "test", "request"); },
           [&] { wire::encode(output, OldColor::unknown, "test", "request"); },
       }) {
    CHECK(REFUSED(invalid_argument, write()).message() == "test: request: an unknown variant can't be sent");
  }
}

void several_threads_call_at_once(const Types& types) {
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < 4; ++number) {
    threads.emplace_back([&types, number] {
      std::string name(number * 700, 'a');
      for (int round = 0; round < 500; ++round) {
        CHECK(types.person({name, number, {}}).name == name);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace

int main(int count, char** arguments) {
  CHECK(count == 3);
  const char* path = arguments[1];
  {
    Types types = Types::load(path);
    an_error_is_an_exception_of_its_own(types);
    others_errors_stay_as_they_are(types);
    bytes_and_text_alone_go_as_they_are(types);
    calls_end_later(types);
    streams_give_values(types);
    items_are_sent_from_any_range(types);
    values_go_both_ways(types);
    objects_have_methods_of_their_own(types);
    objects_are_lent_and_come_in_messages(path, types);
    answers_with_wrong_positions_release_their_objects(types);
    several_threads_call_at_once(types);
  }
  services_are_called_by_the_plugin(path);
  a_client_closes_what_it_has_loaded(path);
  a_client_of_other_types_is_refused_when_it_is_made(path, arguments[2]);
  variants_that_are_not_known_are_read_and_never_written();
  std::puts("typed_calls: ok");
}

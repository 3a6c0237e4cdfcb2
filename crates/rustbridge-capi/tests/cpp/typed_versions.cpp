/* A client that `rustbridge gen` writes, against other versions of its plugin: one that it's resolved for, by the client and by the functions
   of C alone, one that is older, and one that breaks it.
   Usage: typed_versions NEXT OLDER BROKEN */
#include <cstring>
#include <memory>

#include "check.hpp"
#include "clients/types.hpp"

namespace {

using namespace rustbridge;
using namespace types;

const Person ada{"Ada", 36, "ada@example.org"}, emmy{"Emmy", 53, {}};

const std::vector<Shape> shapes{Shape::Circle{2.5}, Shape::Polygon{{{0, 1}, {2, 3}}}, Shape::Nothing()};

template <class Exception, class Do>
Exception thrown(int line, Do&& what) {
  try {
    what();
  } catch (const Exception& exception) {
    return exception;
  }
  std::fprintf(stderr, "%d: nothing was thrown\n", line);
  std::exit(1);
}

#define THROWN(type, ...) thrown<type>(__LINE__, [&] { static_cast<void>(__VA_ARGS__); })

/* Adas, each two years older than the one before. */
std::vector<Person> older(std::uint32_t count) {
  std::vector<Person> all(count, ada);
  for (std::uint32_t time = 0; time < count; ++time) {
    all[time].age += 2 * time;
  }
  return all;
}

void records_lists_maps_and_enums_come_back_as_they_were(const Types& types) {
  CHECK(types.person(ada) == ada);
  PagePerson page{{ada, emmy}, UINT64_C(1) << 40};
  CHECK(types.people(page) == page && types.oldest(page) == emmy);
  std::map<std::string, Person> map{{"a", ada}, {"e", emmy}};
  CHECK(types.map(map) == map && !types.maybe(std::nullopt));
  CHECK(types.color(Color::dark_blue) == Color::dark_blue);
  for (const Shape& shape : shapes) {
    CHECK(types.shape(shape) == shape);
  }
  /* Plain old data in another order, and what isn't plain old data any more. */
  CHECK(types.point({1, 2}) == (Point{1, 2}));
  Sample sample{UINT64_MAX, 0.5F, 7, {1, 2}};
  Samples samples{"some", sample, {sample, sample, sample}, {{{1, 2}, {3, 4}}}};
  CHECK(types.samples(samples) == samples);
  /* A type with a name that has none any more, and one that has got one. */
  CHECK(types.celsius({21.5}) == Celsius{21.5} && types.length("abc") == 3);
  /* A variant that the plugin has added to what it takes is nothing that this client sends. */
  CHECK(types.area(Shape::Polygon{{{0, 0}, {4, 0}, {0, 3}}}) == 6);
}

void parameters_have_other_places_and_others_beside_them(const Types& types) {
  CHECK(types.part("abcde", 1, 3) == "bcd" && types.part("abcde", 1) == "bcde");
  std::array<std::byte, 3> data{std::byte{1}, std::byte{2}, std::byte{3}};
  auto [piece, bytes] = types.cut({1, 2}, data);
  CHECK(piece == (Piece{4, std::uint8_t{2}}) && bytes.size() == 4 && bytes[1] == std::byte{3});
}

void open_enums_have_a_variant_for_those_that_are_not_known(const Types& client) {
  using types::Event;
  CHECK(client.mood(Mood::calm) == Mood::calm && client.mood(Mood::glad) == Mood::unknown);
  auto events = client.events({Event::Came(), Event::Met{{ada}, Mood::glad}, Event::Said{"hi"}});
  CHECK(events.size() == 4 && events[0].is<Event::Came>() && events[3].is<Event::Unknown>());
  CHECK(events[1].get_if<Event::Met>()->mood == Mood::unknown && events[1].get_if<Event::Met>()->others[0] == ada);
}

void errors_and_what_ends_later_are_resolved(const Types& types) {
  CHECK(types.later_async(ada).get() == ada && types.aged_async(ada, 4).get().age == 40);
  for (bool later : {false, true}) {
    std::vector<Person> people{ada, emmy};
    auto nobody = THROWN(SearchException, later ? types.search_later_async("Ann", people).get() : types.search("Ann", people));
    CHECK(nobody.error() == SearchError(SearchError::Nobody{"Ann", {ada}}) && nobody.status() == Status::not_found);
  }
  CHECK(THROWN(RefusedException, types.paint(Color::red, Color::green)).error() == (Refused{Color::red, Color::green}));
  /* A variant that the plugin has added has no type here. */
  CHECK(REFUSED(invalid_argument, types.search("?", {})).type() == "SearchError.Nameless");
}

void items_are_resolved_both_ways(const Types& types) {
  /* How many years there are between two has a default in the plugin. */
  std::vector<Person> people = older(300);
  std::vector<Person> came;
  for (Person& person : types.repeat({ada, 300})) {
    came.push_back(std::move(person));
  }
  CHECK(came == people && types.collect(5, people) == (PagePerson{people, 305}));
  CHECK(types.between(40, 43, people) == std::vector<Person>(people.begin() + 2, people.begin() + 4));
  auto both = types.reshape();
  for (const Shape& shape : shapes) {
    CHECK(both.send(shape) && both.next() == shape);
  }
  both.finish();
  CHECK(!both.next());
}

void objects_keep_their_places_and_one_that_is_not_known_is_given_back(const Types& types, const Plugin& plugin) {
  Counter one = types.counter(40);
  Counter other = types.counter(2);
  CHECK(one.within(30, 50) && one.admit(std::vector<Person>{ada, ada, ada}) == 43);
  CHECK(THROWN(OddException, one.half()).error().count == 43);
  CHECK(types.transfer(one, other, 3) == std::tuple(40, 5));
  CHECK(plugin.call_json("alive", "null") == "2");
  {
    std::vector<std::int64_t> starts{1, 20, 300};
    Counters counters = types.counters(starts);
    CHECK(counters.first->get() == 1 && counters.others[1].get() == 300);
    /* There's a fourth one in the answer. */
    CHECK(plugin.call_json("alive", "null") == "5");
  }
  CHECK(plugin.call_json("alive", "null") == "2");
}

/* ---- By the functions of C ---- */

std::uint32_t entry_of(rb_instance instance, const char* name, const char* fingerprint) {
  rb_method method{};
  method.size = sizeof method;
  rb_response error{};
  rb_status status = rb_prepare_typed(instance, {name, std::strlen(name)}, {fingerprint, 32},
                                      {types::detail::client_schema.data(), types::detail::client_schema.size()}, &method, &error);
  CHECK(status == RB_OK && (method.flags & RB_METHOD_LEAF) == 0 && method.encoding == RB_ENCODING_WIRE);
  return method.entry;
}

/* Ada, who is 36, by the types of the version before; no mail. */
const unsigned char message[] = {3, 0, 0, 0, 'A', 'd', 'a', 36, 0, 0, 0, 0};

bool is_message(const rb_response& response) {
  return response.len == sizeof message && std::memcmp(response.data, message, sizeof message) == 0;
}

void calls_by_the_functions_of_c_are_resolved(rb_instance instance) {
  std::uint32_t person = entry_of(instance, "person", "bf3ed839822e0baaebc306432086a7e1");
  rb_response response{};
  CHECK(rb_call(instance, person, message, sizeof message, &response) == RB_OK && is_message(response));
  rb_response_release(&response);
  /* Into storage that there's room in, and into one that there's none. */
  unsigned char storage[64];
  CHECK(rb_call_into(instance, person, message, sizeof message, storage, sizeof storage) == sizeof message);
  CHECK(std::memcmp(storage, message, sizeof message) == 0);
  rb_call_result* outcome = rb_call_result_of(rb_call_into(instance, person, message, sizeof message, storage, 3));
  CHECK(outcome != nullptr && outcome->status == RB_OK && is_message(outcome->response));
  rb_call_result_release(outcome);
  /* A request that isn't what the client's version has. */
  outcome = rb_call_result_of(rb_call_into(instance, person, message, sizeof message - 1, storage, 0));
  CHECK(outcome != nullptr && outcome->status == RB_INVALID_ARGUMENT);
  rb_call_result_release(outcome);
}

/* Waits for an event and gives it. */
rb_event next(rb_queue queue, unsigned char* arena, std::size_t len) {
  rb_event event{};
  event.size = sizeof event;
  rb_response error{};
  std::size_t count = 0;
  CHECK(rb_queue_poll(queue, &event, 1, arena, len, 60000, &count, &error) == RB_OK && count == 1);
  return event;
}

void release(rb_event& event) {
  rb_response_release(&event.response);
  rb_response_release(&event.reply.trailers);
  rb_response_release(&event.reply.objects);
}

void submissions_and_streams_by_the_functions_of_c_are_resolved(rb_instance instance) {
  rb_queue queue = 0;
  rb_response error{};
  CHECK(rb_queue_new(&queue, &error) == RB_OK);
  rb_submission submission{};
  submission.size = sizeof submission;
  submission.instance = instance;
  submission.entry = entry_of(instance, "later", "bf3ed839822e0baaebc306432086a7e1");
  submission.request = message;
  submission.request_len = sizeof message;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK);
  rb_event event{};
  if (submission.status == RB_PENDING) {
    event = next(queue, nullptr, 0);
    CHECK(event.kind == RB_EVENT_DONE && event.status == RB_OK && is_message(event.response));
    release(event);
  } else {
    CHECK(submission.status == RB_OK && is_message(submission.response));
  }
  rb_response_release(&submission.response);

  unsigned char repeat[sizeof message + 4] = {};
  std::memcpy(repeat, message, sizeof message);
  repeat[sizeof message] = 3;
  submission = {};
  submission.size = sizeof submission;
  submission.instance = instance;
  submission.entry = entry_of(instance, "repeat", "5d483719156dbc996277632b762e9e80");
  submission.request = repeat;
  submission.request_len = sizeof repeat;
  submission.demand_items = 10;
  submission.demand_bytes = 1000;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  std::uint32_t items = 0;
  for (;;) {
    event = next(queue, nullptr, 0);
    if (event.kind == RB_EVENT_DONE) {
      break;
    }
    CHECK(event.kind == RB_EVENT_ITEMS);
    /* As long as those of the version before, each with its age, two years from one to the next. */
    std::size_t ends = (event.flags & RB_BATCH_ENDS) != 0 ? event.count * 4 : 0;
    CHECK(event.response.len == event.count * sizeof message + ends);
    for (std::uint32_t item = 0; item < event.count; ++item, ++items) {
      CHECK(event.response.data[item * sizeof message + 7] == 36 + 2 * items);
    }
    release(event);
  }
  CHECK(items == 3 && event.status == RB_OK);
  release(event);
  rb_response_release(&submission.response);
  CHECK(rb_queue_close(queue, &error) == RB_OK);
}

/* ---- Services ---- */

class OnlyAda : public Directory {
 public:
  std::optional<Person> find(const std::string& name) override { return name == ada.name ? std::optional(ada) : std::nullopt; }
  Person fetch(const std::string& name) override {
    if (name != ada.name) {
      throw Error(Status::not_found, "nobody is called " + name, "Nobody");
    }
    return ada;
  }
  std::uint64_t count() override { return 1; }
};

class Counting : public Ages {
 public:
  std::map<std::string, std::uint32_t> of(const std::vector<Person>& people) override {
    std::map<std::string, std::uint32_t> ages;
    for (const Person& person : people) {
      ages.emplace(person.name, person.age);
    }
    return ages;
  }
};

void services_are_asked_and_answer_in_their_own_words(const char* path) {
  Types types = Types::load(path, {}, {.directory = std::make_shared<OnlyAda>(), .ages = std::make_shared<Counting>()});
  CHECK(types.ask("Ada") == ada && !types.ask("Eve"));
  CHECK(types.ask_later("Ada") == ada && types.ask_later_async("Ada").get() == ada);
  CHECK(REFUSED(not_found, types.ask_later("Eve")).type() == "Nobody");
  CHECK(types.ask_count() == 1);
  std::map<std::string, std::uint32_t> ages{{"Ada", 36}, {"Emmy", 53}};
  CHECK(types.ask_ages({ada, emmy}) == ages);
}

/* ---- What breaks ---- */

void what_breaks_is_told_when_the_client_is_made(const char* path) {
  Error broken = REFUSED(failed_precondition, Types::load(path));
  CHECK(broken.type() == "rustbridge.TypesDiffer");
  CHECK(broken.message().find("the types of `every` are incompatible") != std::string::npos);
  CHECK(broken.message().find("`request.numbers`: the client has Numbers, and the plugin u32") != std::string::npos);
  Error served = REFUSED(failed_precondition, Types::load(path, {}, {.directory = {}, .ages = std::make_shared<Counting>()}));
  CHECK(served.type() == "rustbridge.TypesDiffer");
  CHECK(served.message().find("`ages.of`") != std::string::npos);
}

}  // namespace

void what_an_older_plugin_lacks_fails_when_it_is_used(const char* path) {
  Plugin plugin = Plugin::load(path);
  Types old = Types::of(plugin);
  CHECK(old.person(emmy) == emmy && old.collect(1, std::vector{emmy, emmy}).total == 3);
  Error lacking = THROWN(Error, old.person(ada));
  /* An item that can't be sent ends the call, which would wait for more otherwise. */
  Error refused = THROWN(Error, old.collect(1, std::vector{emmy, ada}));
  for (const Error& failed : {lacking, refused}) {
    CHECK(failed.status() == Status::unimplemented && failed.type() == "rustbridge.NotInPlugin");
    CHECK(failed.message().find("email") != std::string::npos);
  }
  CHECK(THROWN(Error, old.celsius({1})).status() == Status::unimplemented);
}

int main(int count, char** arguments) {
  CHECK(count == 4);
  {
    Plugin plugin = Plugin::load(arguments[1]);
    Types types = Types::of(plugin);
    records_lists_maps_and_enums_come_back_as_they_were(types);
    parameters_have_other_places_and_others_beside_them(types);
    open_enums_have_a_variant_for_those_that_are_not_known(types);
    errors_and_what_ends_later_are_resolved(types);
    items_are_resolved_both_ways(types);
    objects_keep_their_places_and_one_that_is_not_known_is_given_back(types, plugin);
    calls_by_the_functions_of_c_are_resolved(plugin.handle());
    submissions_and_streams_by_the_functions_of_c_are_resolved(plugin.handle());
  }
  services_are_asked_and_answer_in_their_own_words(arguments[1]);
  what_an_older_plugin_lacks_fails_when_it_is_used(arguments[2]);
  what_breaks_is_told_when_the_client_is_made(arguments[3]);
  std::printf("typed_versions: ok\n");
}

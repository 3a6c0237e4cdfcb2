/* Response headers: what a plugin says before anything else of a call. Usage: headers OPERATIONS TYPES */
#include "check.hpp"
#include "clients/types.hpp"

namespace {

using namespace rustbridge;
using std::chrono::milliseconds;

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

constexpr std::string_view binary("\0\xff", 2);
const Metadata metadata{{"served-by", "b7"}, {"raw-bin", binary}, {"served-by", "b8"}};
const Pairs said{{"served-by", "b7"}, {"raw-bin", binary}, {"served-by", "b8"}};
const Pairs said_later{{"first", "1"}, {"served-by", "b7"}, {"raw-bin", binary}, {"served-by", "b8"}};
constexpr std::string_view note = R"({"text":"Hi"})";
constexpr std::string_view refusal = R"({"status":7,"why":"no"})";

CallOptions asking(const Metadata& carrying = metadata) { return {.metadata = carrying, .headers = true}; }

const Pairs& headers_of(std::string_view name) { return name == "headers.later" ? said_later : said; }

void they_come_with_an_answer(const Plugin& plugin) {
  for (const char* name : {"headers.now", "headers.soon", "headers.later"}) {
    Method method = plugin.prepare(name);
    Response response = method.call(note, asking());
    CHECK(response.text() == note && response.headers().pairs() == headers_of(name) && response.trailers().empty());
    // They go along with what is moved.
    Response moved = std::move(response);
    CHECK(moved.headers().pairs() == headers_of(name) && moved.headers().get("served-by") == "b7");
    response = std::move(moved);
    CHECK(response.headers().pairs() == headers_of(name));
    Response later = method.call_async(note, asking()).get();
    CHECK(later.text() == note && later.headers().pairs() == headers_of(name));
    std::promise<Result> told;
    method.call_async(note, asking(), [&](Result result) { told.set_value(std::move(result)); });
    Result result = told.get_future().get();
    CHECK(result && result.headers().pairs() == headers_of(name) && result.trailers().empty());
    CHECK(method.call(note, asking({})).headers().pairs().size() == headers_of(name).size() - said.size());
  }
  CHECK(plugin.prepare("async.later").call_async(note, asking()).get().headers().empty());
  Response carried = plugin.prepare("call.carried").call({}, asking());
  CHECK(carried.headers().empty() && carried.trailers().pairs() == said);
  Cancellation cancellation;
  CallOptions options = asking();
  options.cancellation = cancellation;
  options.offload = true;
  CHECK(plugin.prepare("headers.now").call(note, options).headers().pairs() == said);
  CHECK(plugin.prepare("headers.now").call_async(note, options).get().headers().pairs() == said);
}

void they_come_with_an_error(const Plugin& plugin) {
  Method refuse = plugin.prepare("headers.refuse");
  Error at_once = REFUSED(permission_denied, refuse.call(refusal, asking()));
  CHECK(at_once.message() == "no" && at_once.headers().pairs() == said && at_once.trailers().empty());
  CHECK(at_once.details() == R"({"status":7,"why":"no"})");
  Error later = REFUSED(permission_denied, refuse.call_async(refusal, asking()).get());
  CHECK(later.message() == "no" && later.headers().pairs() == said && later.details() == at_once.details());
  std::promise<Result> told;
  refuse.call_async(refusal, asking(), [&](Result result) { told.set_value(std::move(result)); });
  CHECK(told.get_future().get().headers().pairs() == said);
}

void a_stream_has_them_before_its_first_item(const Plugin& plugin) {
  for (const char* name : {"headers.items", "headers.ticks"}) {
    for (std::uint64_t count : {0u, 1u, 3u, 600u}) {
      if (count > 3 && std::string_view(name) == "headers.ticks") {
        continue;
      }
      std::string request = R"({"from":0,"to":)" + std::to_string(count) + "}";
      Stream stream = plugin.prepare(name).stream(request, asking());
      CHECK(stream.headers().pairs() == said);
      std::uint64_t expected = 0;
      for (const StreamItem& item : stream) {
        CHECK(item.text() == std::to_string(expected++));
      }
      CHECK(expected == count && stream.headers().pairs() == said);
      // The answer that it ends with has them too, and those that were told of stay.
      CHECK(stream.response().headers().pairs() == said && stream.headers().pairs() == said);
    }
  }
  Stream none = plugin.prepare("stream.ticks").stream(R"({"from":0,"to":2})", asking());
  CHECK(none.headers().empty() && none.next()->text() == "0" && none.headers().empty() && none.next() && !none.next());
  Stream taken = plugin.prepare("stream.numbers").stream(R"({"from":0,"to":1000000})", asking());
  CHECK(taken.next() && taken.headers().empty());
}

void a_stream_that_fails_has_them_and_throws_by_its_items(const Plugin& plugin) {
  for (int at : {0, 2}) {
    std::string request = R"({"from":0,"to":9,"fail_at":)" + std::to_string(at) + "}";
    Stream stream = plugin.prepare("headers.ticks").stream(request, asking());
    CHECK(stream.headers().pairs() == said);
    for (int item = 0; item < at; ++item) {
      CHECK(stream.next()->text() == std::to_string(item));
    }
    Error error = REFUSED(data_loss, stream.next());
    CHECK(error.headers().pairs() == said && stream.headers().pairs() == said);
  }
  // One that isn't begun says none.
  CallOptions late = asking();
  late.timeout = milliseconds(0);
  Stream unbegun = plugin.prepare("headers.items").stream(R"({"from":0,"to":9})", late);
  CHECK(unbegun.headers().empty());
  CHECK(REFUSED(deadline_exceeded, unbegun.next()).headers().empty());
  Stream elsewhere = std::move(unbegun);
  REFUSED(failed_precondition, unbegun.headers());  // NOLINT: what was moved from refuses
  CHECK(elsewhere.headers().empty());
}

void what_is_sent_items_has_them(const Plugin& plugin) {
  Stream sum = plugin.prepare("headers.sum").stream(R"({"value":1})", asking());
  CHECK(sum.send(R"({"value":41})"));
  sum.finish();
  CHECK(sum.headers().pairs() == said);
  Response answer = sum.response();
  CHECK(answer.text() == R"({"value":42})" && answer.headers().pairs() == said);
  // The answer was taken, and they are the stream's all the same.
  CHECK(sum.headers().pairs() == said);
  Stream both = plugin.prepare("headers.double").stream({}, asking());
  std::thread sending([&] {
    CHECK(both.send(R"({"value":4})"));
    both.finish();
  });
  CHECK(both.headers().pairs() == said);
  sending.join();
  CHECK(both.next()->text() == R"({"value":8})" && !both.next());
}

void who_asks_for_none_gets_the_answer_all_the_same(const Plugin& plugin) {
  for (const char* name : {"headers.now", "headers.soon", "headers.later"}) {
    Method method = plugin.prepare(name);
    CHECK(method.call(note).headers().empty());
    Response response = method.call(note, {.metadata = metadata});
    CHECK(response.text() == note && response.headers().empty());
    CHECK(method.call_async(note, {.metadata = metadata}).get().headers().empty());
  }
  CHECK(REFUSED(permission_denied, plugin.prepare("headers.refuse").call(refusal, {.metadata = metadata})).headers().empty());
  CHECK(Response().headers().empty() && Error(Status::aborted, "x").headers().empty());
  Stream stream = plugin.prepare("headers.items").stream(R"({"from":3,"to":4})", {.metadata = metadata});
  Error error = REFUSED(failed_precondition, stream.headers());
  CHECK(error.message().find("CallOptions::headers") != std::string::npos);
  CHECK(stream.next()->text() == "3" && !stream.next());
  bool is_told = false;
  std::promise<void> over;
  plugin.prepare("headers.later").begin(note, {.metadata = metadata}, [&](Event&& event) {
    is_told |= event.kind == Event::Kind::headers;
    if (event.kind == Event::Kind::done) {
      over.set_value();
    }
  });
  over.get_future().get();
  CHECK(!is_told);
}

void events_tell_of_them_first(const Plugin& plugin) {
  std::string order;
  std::promise<void> over;
  plugin.prepare("headers.ticks").begin(
      R"({"from":0,"to":2})", asking(),
      [&](Event&& event) {
        if (event.kind == Event::Kind::headers) {
          CHECK(event.headers().pairs() == said && event.items.empty() && !event.result);
          order += 'h';
        } else if (event.kind == Event::Kind::items) {
          CHECK(event.headers().empty());
          order += 'i';
        } else {
          CHECK(event.result->headers().pairs() == said && event.headers().empty());
          order += 'd';
          over.set_value();
        }
        if (order == "h") {
          throw 7;
        }
      },
      9, 1000);
  over.get_future().get();
  CHECK(order.front() == 'h' && order.back() == 'd' && order.find('h', 1) == std::string::npos);

  Queue queue;
  for (const char* name : {"headers.later", "headers.refuse"}) {
    Queue::StartedCall begun = queue.begin(plugin.prepare(name), name == std::string_view("headers.later") ? note : refusal, asking(), 5);
    CHECK(begun.operation && !begun.result);
    std::string told;
    while (told.find('d') == std::string::npos) {
      // One at a time, so that they come apart.
      for (Event& event : queue.next(std::chrono::seconds(60), 1)) {
        CHECK(event.user_data == 5);
        told += event.kind == Event::Kind::headers ? 'h' : 'd';
        Event moved = std::move(event);
        const Pairs& expected = headers_of(name);
        Metadata headers = moved.result ? moved.result->headers() : moved.headers();
        CHECK(headers.pairs() == expected);
      }
    }
    CHECK(told == "hd");
  }
  Queue::StartedCall at_once = queue.begin(plugin.prepare("headers.soon"), note, asking());
  CHECK(!at_once.operation && at_once.result->headers().pairs() == said);
  // What is given up is told of no more.
  Queue::StartedCall given_up = queue.begin(plugin.prepare("headers.never"), {}, asking());
  CHECK(given_up.operation.detach() == Status::ok);
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(queue.next(milliseconds(0)).empty());
}

void a_call_that_ends_early_has_what_was_said(const Plugin& plugin) {
  Method never = plugin.prepare("headers.never");
  Cancellation cancellation;
  CallOptions options = asking();
  options.cancellation = cancellation;
  std::future<Response> cancelled = never.call_async({}, options);
  std::thread waiting([&] {
    // It may have come too late to be begun.
    Error error = REFUSED(cancelled, never.call({}, options));
    CHECK(error.headers().pairs() == (error.message().find("before the call started") == std::string::npos ? said : Pairs()));
  });
  std::this_thread::sleep_for(milliseconds(20));
  Stream stream = plugin.prepare("headers.double").stream({}, options);
  cancellation.cancel();
  CHECK(REFUSED(cancelled, cancelled.get()).headers().pairs() == said);
  waiting.join();
  CHECK(stream.headers().pairs() == said && REFUSED(cancelled, stream.next()).headers().pairs() == said);
  CallOptions timed = asking();
  // Long enough to be begun, also for who runs slowly.
  timed.timeout = std::chrono::seconds(1);
  std::future<Response> late = never.call_async({}, timed);
  CHECK(REFUSED(deadline_exceeded, never.call({}, timed)).headers().pairs() == said);
  CHECK(REFUSED(deadline_exceeded, late.get()).headers().pairs() == said);
}

void they_have_the_limit_that_all_metadata_has(const Plugin& plugin) {
  std::string longest(65536 - 4 - 8 - std::string_view("long").size(), 'x');
  Metadata all;
  all.add("long", longest);
  REFUSED(invalid_argument, all.add("a", "more"));
  for (const char* name : {"headers.now", "headers.soon"}) {
    CHECK(plugin.prepare(name).call(note, asking(all)).headers().get("long") == longest);
    CHECK(plugin.prepare(name).call_async(note, asking(all)).get().headers().get("long") == longest);
  }
  CHECK(plugin.prepare("headers.ticks").stream(R"({"from":0,"to":2})", asking(all)).headers().get("long") == longest);
  Error error = REFUSED(resource_exhausted, plugin.prepare("headers.later").call(note, asking(all)));
  CHECK(error.type() == "rustbridge.InvalidMetadata" && error.headers().pairs() == Pairs({{"first", "1"}}));
  CHECK(REFUSED(invalid_argument, plugin.prepare("headers.now").call(note, asking({{"Key", "v"}}))).headers().empty());
  Metadata none = Metadata::of_encoded(std::string_view("\xff\xff\xff\xff\1", 5));
  CHECK(none.pairs().empty());
  REFUSED(invalid_argument, plugin.prepare("headers.now").call(note, asking(none)));
}

void many_calls_have_each_its_own(const Plugin& plugin) {
  Method later = plugin.prepare("headers.later");
  std::vector<std::future<Response>> all;
  for (int number = 0; number < 500; ++number) {
    all.push_back(later.call_async(note, asking({{"index", std::to_string(number)}})));
  }
  for (std::size_t number = 0; number < all.size(); ++number) {
    CHECK(all[number].get().headers().get("index") == std::to_string(number));
  }
}

void typed_clients_have_them(const char* library) {
  types::Types client = types::Types::load(library);
  CallOptions options = asking();
  types::Person ada{.name = "Ada", .age = 36};
  auto people = client.repeat({.person = ada, .times = 3}, options);
  CHECK(people.headers().pairs() == said);
  std::uint32_t age = 36;
  for (const types::Person& person : people) {
    CHECK(person.age == age++);
  }
  CHECK(age == 39 && people.headers().pairs() == said);
  auto shapes = client.reshape(options);
  CHECK(shapes.send(types::Shape(types::Shape::Circle{1.0})));
  shapes.finish();
  CHECK(shapes.headers().pairs() == said && shapes.next() && !shapes.next());
  // An answer is a value and nothing else; an error has them.
  CHECK(client.later(ada, options) == ada);
  types::Person nobody;
  CHECK(REFUSED(invalid_argument, client.later(nobody, options)).headers().pairs() == said);
  CHECK(REFUSED(invalid_argument, client.later_async(nobody, options).get()).headers().pairs() == said);
}

void a_closed_plugin_says_none_and_one_that_closes_what_was_said(const char* library) {
  Plugin plugin = Plugin::load(library);
  Method items = plugin.prepare("headers.items");
  std::future<Response> never = plugin.prepare("headers.never").call_async({}, asking());
  Stream stream = plugin.prepare("headers.double").stream({}, asking());
  std::thread waiting([&] {
    // Nothing is sent, so nothing but the end comes.
    CHECK(stream.headers().pairs() == said);
  });
  plugin.close(std::chrono::seconds(60), milliseconds(0));
  waiting.join();
  try {
    never.get();
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.headers().pairs() == said);
  }
  Stream closed = items.stream(R"({"from":0,"to":9})", asking());
  CHECK(closed.headers().empty());
  REFUSED(unavailable, closed.next());
  CHECK(REFUSED(unavailable, items.stream("{}", asking()).response()).headers().empty());
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 3);
  {
    Plugin plugin = Plugin::load(argv[1]);
    they_come_with_an_answer(plugin);
    they_come_with_an_error(plugin);
    a_stream_has_them_before_its_first_item(plugin);
    a_stream_that_fails_has_them_and_throws_by_its_items(plugin);
    what_is_sent_items_has_them(plugin);
    who_asks_for_none_gets_the_answer_all_the_same(plugin);
    events_tell_of_them_first(plugin);
    a_call_that_ends_early_has_what_was_said(plugin);
    they_have_the_limit_that_all_metadata_has(plugin);
    many_calls_have_each_its_own(plugin);
  }
  typed_clients_have_them(argv[2]);
  a_closed_plugin_says_none_and_one_that_closes_what_was_said(argv[1]);
  std::puts("headers: ok");
}

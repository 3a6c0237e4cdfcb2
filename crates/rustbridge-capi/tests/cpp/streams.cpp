/* Streams out of a plugin, into it and both ways, and those that end otherwise. Usage: streams OPERATIONS */
#include <ranges>

#include "check.hpp"

namespace {

using namespace rustbridge;
using std::chrono::milliseconds;

struct Number {
  std::uint64_t value;
};
struct Nothing {};

static_assert(std::input_iterator<Stream::Iterator> && std::ranges::input_range<Stream>);
static_assert(std::sentinel_for<std::default_sentinel_t, Stream::Iterator>);

std::uint64_t dropped(const Plugin& plugin) { return std::stoull(plugin.call_json("async.dropped", "")); }

void a_stream_is_a_range_of_items(const Plugin& plugin) {
  for (const char* name : {"stream.numbers", "stream.ticks"}) {
    std::uint64_t expected = 5;
    for (const StreamItem& item : plugin.prepare(name).stream(R"({"from":5,"to":105})")) {
      CHECK(item.text() == std::to_string(expected++));
    }
    CHECK(expected == 105);
  }
  Stream texts = plugin.prepare("stream.texts", Encoding::raw).stream("500");
  std::size_t total = 0;
  for (const StreamItem& item : texts | std::views::take(10)) {
    total += item.bytes().size();
  }
  CHECK(total == 55);
  Stream none = plugin.prepare("stream.numbers").stream(R"({"from":5,"to":5})");
  CHECK(!none.next() && !none.next() && none.response().empty());
  REFUSED(failed_precondition, none.response());
}

void items_outlive_their_stream(const Plugin& plugin) {
  std::vector<StreamItem> items;
  {
    Stream stream = plugin.prepare("stream.texts", Encoding::raw).stream("100", {.window_items = 7, .window_bytes = 100});
    while (std::optional<StreamItem> item = stream.next()) {
      items.push_back(std::move(*item));
    }
  }
  CHECK(items.size() == 100);
  for (std::size_t at = 0; at < items.size(); ++at) {
    CHECK(items[at].text() == std::string(at + 1, 'x'));
  }
}

void structs_come_in_batches(const Plugin& plugin) {
  auto pods = plugin.prepare_pod<Number, Number>("stream.pods");
  std::uint64_t expected = 0;
  Stream stream = pods.stream({10000});
  while (std::optional<Batch> batch = stream.next_batch()) {
    CHECK(!batch->empty() && batch->total_bytes() == batch->size() * sizeof(Number));
    REFUSED(out_of_range, (*batch)[batch->size()]);
    for (Number number : batch->as<Number>()) {
      CHECK(number.value == expected++);
    }
  }
  CHECK(expected == 10000);
  CHECK(pods.stream({1}).next()->as<Number>().value == 0);
  REFUSED(invalid_argument, pods.stream({1}).next()->as<char>());
}

void a_window_is_all_that_comes_before_it_is_asked_for(const Plugin& plugin) {
  Stream stream = plugin.prepare_pod<Number, Number>("stream.pods").stream({1000}, {.window_items = 10});
  std::size_t total = 0;
  while (std::optional<Batch> batch = stream.next_batch()) {
    CHECK(batch->size() <= 10);
    total += batch->size();
  }
  CHECK(total == 1000);
  // A window of nothing would never end.
  Stream least = plugin.prepare("stream.texts", Encoding::raw).stream("20", {.window_items = 0, .window_bytes = 0});
  CHECK(std::ranges::distance(least) == 20);
}

void what_fails_is_thrown_after_the_items_that_came(const Plugin& plugin) {
  for (const char* name : {"stream.numbers", "stream.ticks"}) {
    Stream stream = plugin.prepare(name).stream(R"({"from":0,"to":10,"fail_at":3})");
    for (int number = 0; number < 3; ++number) {
      CHECK(stream.next()->text() == std::to_string(number));
    }
    CHECK(REFUSED(data_loss, stream.next()).message() == "broken at 3");
    REFUSED(data_loss, stream.next());
    REFUSED(data_loss, stream.response());
  }
  Stream refused_at_once = plugin.prepare("stream.numbers").stream(R"({"from":5,"to":1})");
  REFUSED(invalid_argument, refused_at_once.next());
  CHECK(!refused_at_once.send("x"));
}

void who_has_enough_lets_go(const Plugin& plugin) {
  std::uint64_t before = dropped(plugin);
  {
    Stream stream = plugin.prepare("stream.ticks").stream(R"({"from":0,"to":1000000})");
    CHECK(stream.next());
    stream = plugin.prepare("stream.ticks").stream(R"({"from":7,"to":1000000})");
    CHECK(stream.next()->text() == "7");
  }
  for (int wait = 0; wait < 10000 && dropped(plugin) < before + 2; ++wait) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  CHECK(dropped(plugin) == before + 2);
  Stream stream = plugin.prepare("stream.ticks").stream(R"({"from":0,"to":1000000})");
  stream.cancel();
  auto take_all = [&] {
    while (stream.next()) {
    }
  };
  REFUSED(cancelled, take_all());
  Cancellation cancellation;
  stream = plugin.prepare("stream.ticks").stream(R"({"from":0,"to":1000000})", {.cancellation = cancellation});
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(10));
    cancellation.cancel();
  });
  REFUSED(cancelled, take_all());
  other.join();
  stream = plugin.prepare("stream.ticks").stream(R"({"from":0,"to":1000000})", {.timeout = milliseconds(10)});
  REFUSED(deadline_exceeded, take_all());
}

void items_go_in_as_they_are_taken(const Plugin& plugin) {
  auto sum = plugin.prepare_pod<Number, Number>("items.sum");
  Stream stream = sum.stream({1000});
  std::vector<Number> numbers(5000, Number{2});
  CHECK(stream.send_pods(std::span<const Number>(numbers)) && stream.send_pod(Number{5}));
  CHECK(stream.send(BytesView::of(Number{1})));
  stream.finish();
  CHECK(stream.response().as<Number>().value == 11006);
  REFUSED(failed_precondition, stream.response());
  Stream json = plugin.prepare("items.sum").stream(R"({"value":1})");
  for (int number = 0; number < 1000; ++number) {
    CHECK(json.send(R"({"value":3})"));
  }
  json.finish();
  json.finish();
  CHECK(json.response().text() == R"({"value":3001})");
}

void who_takes_no_more_is_not_sent_more(const Plugin& plugin) {
  Stream stream = plugin.prepare_pod<Nothing, Number>("items.first").stream({});
  std::size_t sent = 0;
  while (stream.send_pod(Number{sent + 7})) {
    ++sent;
  }
  CHECK(sent > 0 && stream.response().as<Number>().value == 7 && !stream.send_pod(Number{1}));
  Stream failed = plugin.prepare_pod<Number, Number>("items.sum").stream({0});
  CHECK(failed.send_pod(Number{1}));
  failed.fail(Error(Status::aborted, "no more of them", "Source.Gone", R"({"n":1})"));
  Error error = REFUSED(aborted, failed.response());
  CHECK(error.message() == "no more of them" && error.type() == "Source.Gone" && error.details() == R"({"n":1})");
  Stream wrong = plugin.prepare("items.sum").stream(R"({"value":1})");
  wrong.send("no JSON");
  REFUSED(invalid_argument, wrong.response());
}

void items_go_both_ways_at_the_same_time(const Plugin& plugin) {
  Stream stream = plugin.prepare_pod<Nothing, Number>("items.double").stream({});
  std::thread sending([&] {
    for (std::uint64_t number = 0; number < 2000; ++number) {
      CHECK(stream.send_pod(Number{number}));
    }
    stream.finish();
  });
  std::uint64_t expected = 0;
  for (const StreamItem& item : stream) {
    CHECK(item.as<Number>().value == 2 * expected++);
  }
  sending.join();
  CHECK(expected == 2000);
}

void objects_come_with_items(const Plugin& plugin) {
  std::vector<Object> counters;
  for (const StreamItem& item : plugin.prepare("counter.stream").stream("50")) {
    std::vector<Object> objects = item.take_objects();
    CHECK(objects.size() == 1 && item.take_objects().at(0).number() == 0);
    counters.push_back(std::move(objects[0]));
  }
  CHECK(counters.size() == 50 && counters[49].call_json("Counter.get", "") == "49");
  CHECK(plugin.call_json("counter.alive", "") == "50");
  counters.clear();
  CHECK(plugin.call_json("counter.alive", "") == "0");
  Stream unread = plugin.prepare("counter.stream").stream("50");
  CHECK(unread.next());
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 2);
  Plugin plugin = Plugin::load(argv[1]);
  a_stream_is_a_range_of_items(plugin);
  items_outlive_their_stream(plugin);
  structs_come_in_batches(plugin);
  a_window_is_all_that_comes_before_it_is_asked_for(plugin);
  what_fails_is_thrown_after_the_items_that_came(plugin);
  who_has_enough_lets_go(plugin);
  items_go_in_as_they_are_taken(plugin);
  who_takes_no_more_is_not_sent_more(plugin);
  items_go_both_ways_at_the_same_time(plugin);
  objects_come_with_items(plugin);
  plugin.close(std::chrono::seconds(60));
  std::puts("streams: ok");
}

/* Calls that end later: by functions, futures and a queue, cancelled and given up. Usage: operations OPERATIONS */
#include "check.hpp"

namespace {

using namespace rustbridge;
using std::chrono::milliseconds;

/* Lets a thread wait for what another is told. */
class Told {
 public:
  void tell() {
    std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  int wait_for(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(60), [&] { return count_ >= count; });
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

std::uint64_t dropped(const Plugin& plugin) { return std::stoull(plugin.call_json("async.dropped", "")); }

/// Waits until the plugin has dropped so many of what never ends; whether it does.
bool drops(const Plugin& plugin, std::uint64_t count) {
  for (int wait = 0; wait < 10000 && dropped(plugin) < count; ++wait) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  return dropped(plugin) >= count;
}

void a_future_has_the_answer_or_throws(const Plugin& plugin) {
  Method later = plugin.prepare("async.later");
  std::vector<std::future<Response>> all;
  for (int number = 0; number < 200; ++number) {
    all.push_back(later.call_async("{\"text\":\"" + std::to_string(number) + "\"}"));
  }
  for (std::size_t number = 0; number < all.size(); ++number) {
    CHECK(all[number].get().text() == "{\"text\":\"" + std::to_string(number) + "\"}");
  }
  CHECK(plugin.prepare("async.now").call_async(R"({"text":"x"})").get().text() == R"({"text":"x"})");
  Error error = REFUSED(data_loss, plugin.prepare("async.fail").call_async(R"({"text":"lost"})").get());
  CHECK(error.message() == "lost" && error.details() == R"({"n":7})");
  CHECK(plugin.prepare("async.fill", Encoding::raw).call_async("100000").get().size() == 100000);
  CHECK(plugin.prepare("call.carried_later").call_async({}, {.metadata = {{"k", "v"}}}).get().trailers().get("k") == "v");
  // One that nobody waits for goes on.
  later.call_async(R"({"text":"dropped"})");
}

void a_function_is_told_once_and_may_throw(const Plugin& plugin) {
  Told told;
  std::atomic<int> right{0};
  Method later = plugin.prepare("async.later");
  PendingCall pending = later.call_async(R"({"text":"x"})", {}, [&](Result result) {
    right += result && result.response().text() == R"({"text":"x"})" && result.status() == Status::ok ? 1 : 0;
    told.tell();
    throw 7;
  });
  CHECK(pending);
  CHECK(told.wait_for(1) == 1 && right == 1);
  // It had ended before there was anything to wait for, which makes no difference.
  PendingCall at_once = plugin.prepare("call.fail").call_async({}, {}, [&](Result result) {
    right += !result && result.error()->status() == Status::aborted && result.trailers().get("why") == "because" ? 1 : 0;
    told.tell();
    throw std::runtime_error("not for the library");
  });
  CHECK(!at_once && told.wait_for(2) == 2 && right == 2);
  CHECK(at_once.cancel() != Status::ok && at_once.demand(1, 1) != Status::ok);
  REFUSED(invalid_argument, later.call_async("{}", {}, nullptr));
  REFUSED(unimplemented, plugin.prepare("stream.numbers").call_async("{}"));
}

void calls_end_early_by_cancelling(const Plugin& plugin) {
  std::uint64_t before = dropped(plugin);
  Method never = plugin.prepare("async.never");
  Cancellation cancellation;
  CallOptions options{.cancellation = cancellation};
  std::vector<std::future<Response>> all;
  for (int number = 0; number < 20; ++number) {
    all.push_back(never.call_async({}, options));
  }
  // One that waits on its own thread ends as well.
  std::thread waiting([&] { REFUSED(cancelled, never.call({}, options)); });
  std::thread sleeping([&] { REFUSED(cancelled, plugin.call_json("call.sleep", R"({"ms":60000})", options)); });
  std::this_thread::sleep_for(milliseconds(20));
  CHECK(!cancellation.cancelled());
  cancellation.cancel();
  cancellation.cancel();
  for (auto& one : all) {
    REFUSED(cancelled, one.get());
  }
  waiting.join();
  sleeping.join();
  // The one on a thread may have come too late to be begun.
  CHECK(cancellation.cancelled() && drops(plugin, before + 20) && dropped(plugin) <= before + 21);
  REFUSED(cancelled, never.call({}, options));
  REFUSED(cancelled, never.call_async({}, options));
  // What has ended isn't harmed, and one that was let go of has nothing to end.
  Cancellation after;
  CHECK(plugin.prepare("async.later").call({R"({"text":"x"})"}, {.cancellation = after}).size() == 12);
  after.cancel();
}

void cancelling_at_the_same_time_as_beginning_never_gets_lost(const Plugin& plugin) {
  Method never = plugin.prepare("async.never");
  for (int round = 0; round < 100; ++round) {
    Cancellation cancellation;
    CallOptions options{.cancellation = cancellation};
    std::thread other([&] { cancellation.cancel(); });
    try {
      if (round % 2 == 0) {
        never.call({}, options);
      } else {
        never.call_async({}, options).get();
      }
      CHECK(false);
    } catch (const Error& error) {
      CHECK(error.status() == Status::cancelled);
    }
    other.join();
  }
}

void what_is_given_up_is_not_told_of(const Plugin& plugin) {
  std::uint64_t before = dropped(plugin);
  auto kept = std::make_shared<std::atomic<int>>(0);
  PendingCall never = plugin.prepare("async.never").call_async({}, {}, [kept](Result) { ++*kept; });
  CHECK(never.detach() == Status::ok);
  for (int wait = 0; wait < 10000 && kept.use_count() > 1; ++wait) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  CHECK(kept.use_count() == 1 && *kept == 0 && drops(plugin, before + 1) && dropped(plugin) == before + 1);
  CHECK(never.cancel() != Status::ok && never.detach() != Status::ok);
}

void plain_methods_run_elsewhere_if_they_are_offloaded(const Plugin& plugin) {
  std::thread::id me = std::this_thread::get_id();
  Told told;
  std::atomic<bool> elsewhere{false};
  PendingCall operation = plugin.prepare("call.sleep").call_async(R"({"ms":20})", {.offload = true}, [&](Result result) {
    elsewhere = result && std::this_thread::get_id() != me;
    told.tell();
  });
  CHECK(operation && told.wait_for(1) == 1 && elsewhere);
}

void a_queue_tells_of_what_was_begun_for_it(const Plugin& plugin) {
  Queue queue;
  Method later = plugin.prepare("async.later");
  CHECK(queue.next(milliseconds(0)).empty() && queue.descriptor() >= 0);
  Queue::StartedCall at_once = queue.begin(plugin.prepare("async.now"), R"({"text":"x"})");
  CHECK(!at_once.operation && at_once.result && at_once.result->response().text() == R"({"text":"x"})");
  std::vector<bool> ended(50);
  std::size_t ends = 0;
  auto end = [&](std::uint64_t number, Result& result) {
    CHECK(!ended[number] && result.response().text() == "{\"text\":\"" + std::to_string(number) + "\"}");
    ended[number] = true;
    ++ends;
  };
  for (std::uint64_t number = 0; number < ended.size(); ++number) {
    Queue::StartedCall begun = queue.begin(later, "{\"text\":\"" + std::to_string(number) + "\"}", {}, number);
    CHECK(static_cast<bool>(begun.operation) != begun.result.has_value());
    // On a slow machine the moment may be over already.
    if (begun.result) end(number, *begun.result);
  }
  while (ends < ended.size()) {
    for (Event& event : queue.next(std::chrono::seconds(60), 7)) {
      CHECK(event.kind == Event::Kind::done);
      end(event.user_data, *event.result);
    }
  }
  Cancellation cancellation;
  queue.begin(plugin.prepare("async.never"), {}, {.cancellation = cancellation}, 7);
  cancellation.cancel();
  std::vector<Event> events = queue.next(std::chrono::seconds(60));
  CHECK(events.size() == 1 && events[0].user_data == 7 && events[0].result->status() == Status::cancelled);
  // Of a queue's calls, nothing more is told either.
  CHECK(queue.begin(plugin.prepare("async.never"), {}).operation.detach() == Status::ok);
  std::thread other([&] { queue.wake(); });
  CHECK(queue.next(std::chrono::seconds(60)).empty());
  other.join();
  PendingCall open = queue.begin(plugin.prepare("async.never"), {}).operation;
  queue.close();
  // It has been given up. Whether it's over by now is the plugin's to say.
  const Status cancelled = open.cancel();
  CHECK(cancelled == Status::ok || cancelled == Status::not_found || cancelled == Status::failed_precondition);
}

void objects_of_a_queues_calls_can_be_called(const Plugin& plugin) {
  Queue queue;
  Queue::StartedCall begun = queue.begin(plugin.prepare("counter.open_later"), "7", {}, 3);
  std::vector<Event> events;
  if (!begun.result) {
    events = queue.next(std::chrono::seconds(60));
    CHECK(events.size() == 1 && events[0].user_data == 3);
  }
  // On a slow machine it may be there already.
  Result& opened = begun.result ? *begun.result : *events[0].result;
  CHECK(opened.response().objects().at(0).call_json("Counter.get", "") == "7");
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 2);
  Plugin plugin = Plugin::load(argv[1]);
  a_future_has_the_answer_or_throws(plugin);
  a_function_is_told_once_and_may_throw(plugin);
  calls_end_early_by_cancelling(plugin);
  cancelling_at_the_same_time_as_beginning_never_gets_lost(plugin);
  what_is_given_up_is_not_told_of(plugin);
  plain_methods_run_elsewhere_if_they_are_offloaded(plugin);
  a_queue_tells_of_what_was_begun_for_it(plugin);
  objects_of_a_queues_calls_can_be_called(plugin);
  plugin.close(std::chrono::seconds(60));
  std::puts("operations: ok");
}

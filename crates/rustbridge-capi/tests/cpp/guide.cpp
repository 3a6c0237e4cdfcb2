/*
 * What docs/guide/cpp.md shows, word for word: each snippet is between a line that says "guide" and one that says "end".
 * Usage: guide HELLO OPERATIONS
 */
#include <poll.h>

#include <cassert>
#include <iostream>
#include <map>

#include "check.hpp"

// guide
#include <rustbridge.hpp>
// end

namespace {

// guide
struct Add {
  std::int64_t a, b;
};
struct Sum {
  std::int64_t result;
};
// end

struct Number {
  std::uint64_t value;
};

void use(std::string_view) {}

void hello_world(const char* library) {
  // guide
  rustbridge::Plugin hello = rustbridge::Plugin::load(library);
  std::string answer = hello.call_json("greet", R"({"name":"Ada"})");
  std::cout << answer << "\n";  // {"greeting":"Hello, Ada! Welcome to rustbridge."}
  // end
  // guide
  rustbridge::Plugin users = rustbridge::Plugin::load(library, {
      .json = R"({"first_user":100})",
      .name = "users",
      .log_level = rustbridge::Level::debug,
      .log = [](const rustbridge::LogRecord& record) { std::clog << record.message << " " << record.fields << "\n"; },
      .poison_on_panic = true,
  });
  // end
  // guide
  users.flush_logs(std::chrono::seconds(1));        // waits until all records so far are delivered
  users.set_log_level(rustbridge::Level::warn);  // takes effect at once
  // end
}

void calls(const rustbridge::Plugin& hello) {
  // guide
  rustbridge::Method greet = hello.prepare("greet");
  rustbridge::Response response = greet.call(R"({"name":"Ada"})");
  use(response.text());  // the response's own memory, not a copy
  // end
  // guide
  std::array<std::byte, 256> storage;
  std::span<std::byte> written = greet.call_into(R"({"name":"Ada"})", storage);
  // end
  CHECK(written.size() == response.size());
  // guide
  auto add = hello.prepare_pod<Add, Sum>("math.add");
  Sum sum = add({40, 2});
  // end
  CHECK(sum.result == 42);
  // guide
  try {
    hello.call_json("math.add", R"({"a":9223372036854775807,"b":1})");
  } catch (const rustbridge::Error& error) {
    if (error.status() == rustbridge::Status::out_of_range) {
      std::cerr << error.type() << ": " << error.what() << " " << error.details() << "\n";
    }
  }
  // end
}

void carried(const rustbridge::Plugin& hello) {
  rustbridge::Method sleep = hello.prepare("test.sleep");
  // guide
  rustbridge::Response slept = sleep.call(R"({"duration_ms":1})", {
      .timeout = std::chrono::seconds(2),
      .metadata = {{"user", "ada"}},
  });
  std::optional<std::string_view> cache = slept.trailers().get("cache");
  // end
  CHECK(!cache);
  // guide
  std::future<rustbridge::Response> first = sleep.call_async(R"({"duration_ms":10})");
  std::future<rustbridge::Response> second = sleep.call_async(R"({"duration_ms":10})");
  use(first.get().text());  // throws the same errors as `call`
  use(second.get().text());
  // end
  std::promise<void> told;
  // guide
  sleep.call_async(R"({"duration_ms":10})", {}, [&](rustbridge::Result result) {
    std::cout << (result ? result.response().text() : result.error()->message()) << "\n";
    told.set_value();
  });
  // end
  told.get_future().get();
  // guide
  rustbridge::Cancellation cancellation;
  std::future<rustbridge::Response> long_one = sleep.call_async(R"({"duration_ms":60000})", {.cancellation = cancellation});
  cancellation.cancel();  // from any thread; the future throws an Error with Status::cancelled
  // end
  REFUSED(cancelled, long_one.get());
}

void headers(const rustbridge::Plugin& operations) {
  // guide
  rustbridge::CallOptions options{.metadata = {{"user", "ada"}}, .headers = true};
  rustbridge::Response said = operations.prepare("headers.now").call(R"({"text":"Hi"})", options);
  std::optional<std::string_view> user = said.headers().get("user");
  // end
  CHECK(user == "ada");
  // guide
  rustbridge::Stream ticks = operations.prepare("headers.ticks").stream(R"({"from":0,"to":3})", options);
  rustbridge::Metadata before = ticks.headers();
  while (std::optional<rustbridge::StreamItem> tick = ticks.next()) {
    std::cout << tick->text() << " for " << before.get("user").value_or("nobody") << "\n";
  }
  // end
}

void streams(const rustbridge::Plugin& hello, const rustbridge::Plugin& operations) {
  // guide
  rustbridge::Stream download = hello.prepare("download").stream(R"({"size":1000,"chunk":100,"pause_ms":1})");
  for (const rustbridge::StreamItem& chunk : download) {
    std::cout << chunk.text() << "\n";
    if (chunk.text().find("500") != std::string_view::npos) {
      break;
    }
  }
  // end
  // guide
  auto pods = operations.prepare_pod<Number, Number>("stream.pods").stream({1000}, {.window_items = 64});
  while (std::optional<rustbridge::Batch> batch = pods.next_batch()) {
    for (Number number : batch->as<Number>()) {
      assert(number.value < 1000);
    }
  }
  // end
  // guide
  rustbridge::Stream total = operations.prepare_pod<Number, Number>("items.sum").stream({0});
  for (std::uint64_t value : {1u, 2u, 3u}) {
    if (!total.send_pod(Number{value})) {
      break;  // the plugin accepts no more items, and its response has the reason
    }
  }
  total.finish();
  Number sum = total.response().as<Number>();  // 6
  // end
  CHECK(sum.value == 6);
}

void services(const char* library) {
  // guide
  auto price = [](std::string_view article) -> std::string {
    if (article.find("bread") == std::string_view::npos) {
      throw rustbridge::Error(rustbridge::Status::not_found, "no shop sells it");
    }
    return R"({"cents":250})";
  };
  rustbridge::Plugin shop = rustbridge::Plugin::load(library, {.services = {rustbridge::Service::json("prices.get", price)}});
  std::string total = shop.call_json("checkout.total", R"({"lines":[{"article":"bread","count":2}]})");  // {"cents":500}
  // end
  CHECK(total == R"({"cents":500})");
  // guide
  std::map<std::uint64_t, std::string> users{{7, "ada"}};  // the running requests, by your own numbers
  auto own_price = [&](const rustbridge::ServiceCall& call) -> std::string {
    return users.at(call.number) == "ada" ? R"({"cents":200})" : R"({"cents":250})";
  };
  rustbridge::Plugin own = rustbridge::Plugin::load(library, {.services = {rustbridge::Service("prices.get", rustbridge::Encoding::json, own_price)}});
  std::string reduced = own.call_json("checkout.total", R"({"lines":[{"article":"bread","count":2}]})", {.number = 7});  // {"cents":400}
  // end
  CHECK(reduced == R"({"cents":400})");
  // guide
  std::vector<std::thread> threads;
  auto later = [&](const rustbridge::ServiceCall& call, rustbridge::ServiceReply reply) {
    threads.emplace_back([article = std::string(call.request.text()), reply = std::move(reply)] {
      reply.reply(article.empty() ? "null" : R"({"cents":250})");
    });
  };
  rustbridge::Service prices = rustbridge::Service::later("prices.get", rustbridge::Encoding::json, later);
  // end
  rustbridge::Plugin other = rustbridge::Plugin::load(library, {.services = {prices}});
  CHECK(other.call_json("checkout.total", R"({"lines":[{"article":"bread","count":2}]})") == total);
  other.close();
  for (std::thread& thread : threads) {
    thread.join();
  }
}

void objects(const rustbridge::Plugin& hello) {
  // guide
  rustbridge::Response made = hello.call("counter.new", rustbridge::Encoding::json, R"({"start":40})", {});
  rustbridge::Object counter = std::move(made.objects().at(0));
  std::string count = counter.call_json("Counter.add", R"({"by":2})");  // {"count":42}
  // end
  CHECK(count == R"({"count":42})");
}

void queues(const rustbridge::Plugin& hello) {
  rustbridge::Method sleep = hello.prepare("test.sleep");
  int ended = 0;
  // guide
  rustbridge::Queue queue;
  queue.begin(sleep, R"({"duration_ms":10})", {}, 1);
  pollfd watched[] = {{static_cast<int>(queue.descriptor()), POLLIN, 0} /* and your sockets */};
  while (ended == 0 && poll(watched, 1, -1) > 0) {
    // Until it's empty: after that, new events signal the descriptor again.
    for (auto events = queue.next(std::chrono::seconds(0)); !events.empty(); events = queue.next(std::chrono::seconds(0))) {
      for (rustbridge::Event& event : events) {
        if (event.kind == rustbridge::Event::Kind::done) {
          std::cout << event.user_data << ": " << event.result->response().text() << "\n";
          ended++;
        }
      }
    }
  }
  // end
}

void close(const rustbridge::Plugin& hello) {
  // guide
  try {
    hello.close(std::chrono::seconds(5));
  } catch (const rustbridge::Error& error) {
    std::cerr << error.what() << " " << error.details() << "\n";   // which calls still run
    hello.close(std::chrono::seconds(5), std::chrono::seconds(0));  // cancels what is pending
  }
  // end
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 3);
  hello_world(argv[1]);
  rustbridge::Plugin hello = rustbridge::Plugin::load(argv[1]);
  rustbridge::Plugin operations = rustbridge::Plugin::load(argv[2]);
  calls(hello);
  carried(hello);
  headers(operations);
  streams(hello, operations);
  services(argv[1]);
  objects(hello);
  queues(hello);
  close(hello);
  std::cout << "guide: ok\n";
}

/* What a host offers: services that answer at once, later, never, by a queue or by throwing; objects that it holds; and log sinks.
   Usage: services OPERATIONS HELLO */
#include <stdexcept>

#include "check.hpp"

namespace {

using namespace rustbridge;
using std::chrono::milliseconds;

/* A plugin whose `prices.get` is that. */
Plugin asking(const char* path, Service service) { return Plugin::load(path, {.services = {std::move(service)}}); }

void a_service_answers_what_the_plugin_asks(const char* path) {
  Plugin plugin = asking(path, Service::json("prices.get", [](std::string_view id) { return std::string(id) + "0"; }));
  CHECK(plugin.call_json("service.total", "[1,2,3]") == "60");
  Plugin raw = asking(path, Service("prices.upper", Encoding::raw, [](const ServiceCall& call) {
                        std::string text(call.request.text());
                        std::transform(text.begin(), text.end(), text.begin(), [](char one) { return static_cast<char>(one - 32); });
                        return text;
                      }));
  CHECK(raw.call("service.upper", Encoding::raw, "abc").text() == "ABC");
  std::string large(100000, 'a');
  CHECK(raw.call("service.upper", Encoding::raw, large).text() == std::string(100000, 'A'));
}

void a_service_knows_what_came_with_the_call(const char* path) {
  rb_instance caller = 0;
  bool right = false;
  Plugin plugin = asking(path, Service("prices.get", Encoding::json, [&](const ServiceCall& call) -> std::string {
                           right = call.time_left && *call.time_left <= std::chrono::seconds(50) &&
                                   *call.time_left > std::chrono::seconds(1) && call.trace && call.trace->trace_id[0] == 1 &&
                                   call.trace->state == "a=b" && call.metadata.empty();
                           caller = call.instance;
                           return "1";
                         }));
  Trace trace{.trace_id = {1}, .span_id = {2}, .flags = 1, .state = "a=b"};
  CHECK(plugin.call_json("service.one", "5", {.timeout = std::chrono::seconds(50), .trace = trace}) == "1");
  CHECK(right && caller == plugin.handle());
}

void a_service_knows_its_calls_number_and_metadata(const char* path) {
  std::mutex mutex;
  std::vector<std::string> seen;
  auto note = [&](const ServiceCall& call) -> std::string {
    CHECK(ServiceCall::current() == &call && !call.cancelled());
    std::lock_guard lock(mutex);
    auto user = call.metadata.get("user");
    seen.push_back(std::to_string(call.number) + " " + std::string(user ? *user : "nobody"));
    return "1";
  };
  auto taken = [&] {
    std::lock_guard lock(mutex);
    return std::exchange(seen, {});
  };
  using Seen = std::vector<std::string>;
  CallOptions options{.number = 7};
  options.metadata.add("user", "ada");
  Plugin plugin = Plugin::load(path, {.services = {Service("prices.get", Encoding::json, note), Service("prices.quote", Encoding::json, note)}});
  for (const char* name : {"service.one", "service.quote"}) {
    plugin.call_json(name, "5", options);
    CHECK(taken() == Seen{"7 ada"});
    Method method = plugin.prepare(name);
    method.call_async("5", options).get();
    CHECK(taken() == Seen{"7 ada"});
    plugin.call_json(name, "5");
    CHECK(taken() == Seen{"0 nobody"});
  }
  // A call inside a service's function has its own number, and doesn't inherit that of the call that the service is called for.
  Plugin outer = asking(path, Service("prices.get", Encoding::json, [&](const ServiceCall&) -> std::string {
                          plugin.call_json("service.one", "5");
                          plugin.call_json("service.one", "5", {.number = 8});
                          CHECK(ServiceCall::current()->number == 7);
                          return "1";
                        }));
  outer.call_json("service.one", "5", options);
  CHECK((taken() == Seen{"0 nobody", "8 nobody"}));
  CHECK(ServiceCall::current() == nullptr);
}

void a_service_sees_that_its_call_is_cancelled(const char* path) {
  Cancellation cancellation;
  bool seen = false;
  Plugin plugin = asking(path, Service("prices.get", Encoding::json, [&](const ServiceCall& call) -> std::string {
                           cancellation.cancel();
                           seen = call.cancelled();
                           return "1";
                         }));
  CallOptions options{.cancellation = cancellation};
  plugin.call_json("service.one", "5", options);
  CHECK(seen);
}

void what_a_service_throws_is_its_answer(const char* path) {
  int kind = 0;
  auto throwing = [&](std::string_view) -> std::string {
    switch (kind) {
      case 0: throw Error(Status::not_found, "no such \"article\"", "PriceError.Unknown", R"({"id":7})");
      case 1: throw std::runtime_error("thrown");
      default: throw 7;
    }
  };
  auto check = [&](const Plugin& plugin) {
    kind = 0;
    Error error = REFUSED(not_found, plugin.call_json("service.one", "7"));
    CHECK(error.message() == "no such \"article\"" && error.type() == "PriceError.Unknown" && error.details() == R"({"id":7})");
    kind = 1;
    CHECK(REFUSED(internal, plugin.call_json("service.one", "7")).message() == "thrown");
    kind = 2;
    REFUSED(internal, plugin.call_json("service.one", "7"));
    CHECK(plugin.state() == State::active);
  };
  check(asking(path, Service::json("prices.get", throwing)));
  // Also where it was to answer later.
  check(asking(path, Service::later("prices.get", Encoding::json, [&](const ServiceCall&, ServiceReply) { throwing(""); })));
}

void what_a_service_throws_is_the_cause(const char* path) {
  struct Own : std::runtime_error {
    int number;
    explicit Own(int of) : std::runtime_error("mine"), number(of) {}
  };
  int kind = 0;
  auto throwing = [&](std::string_view) -> std::string {
    if (kind == 0) {
      throw Own(8);
    }
    throw Error(Status::not_found, "none");
  };
  auto check = [&](const Plugin& plugin) {
    kind = 0;
    Error error = REFUSED(internal, plugin.call_json("service.one", "7"));
    bool found = false;
    try {
      CHECK(error.cause() != nullptr);
      std::rethrow_exception(error.cause());
    } catch (const Own& own) {
      found = own.number == 8;
    }
    CHECK(found && error.details().empty() && error.payload().find("cause") == std::string::npos);
    kind = 1;
    found = false;
    error = REFUSED(not_found, plugin.call_json("service.one", "7"));
    try {
      CHECK(error.cause() != nullptr);
      std::rethrow_exception(error.cause());
    } catch (const Error& own) {
      found = own.status() == Status::not_found && own.cause() == nullptr;
    }
    CHECK(found);
  };
  check(asking(path, Service::json("prices.get", throwing)));
  check(asking(path, Service::later("prices.get", Encoding::json, [&](const ServiceCall&, ServiceReply) { throwing(""); })));
  auto& causes = rustbridge::detail::Causes::all();
  std::weak_ptr<int> kept[2 * rustbridge::detail::Causes::limit];
  std::string last;
  for (auto& one : kept) {
    auto value = std::make_shared<int>(1);
    one = value;
    last = causes.keep(std::make_exception_ptr(value));
  }
  CHECK(std::count_if(std::begin(kept), std::end(kept), [](auto& one) { return !one.expired(); }) == rustbridge::detail::Causes::limit);
  CHECK(causes.take(last) != nullptr && causes.take(last) == nullptr && causes.take("") == nullptr);
}

void what_ends_a_source_is_the_cause(const char* path) {
  Plugin plugin = Plugin::load(path);
  auto numbers = plugin.prepare("items.sum").stream(R"({"value":1})");
  try {
    throw std::out_of_range("no more");
  } catch (const std::exception& failed) {
    numbers.fail(Error(Status::aborted, failed.what()));
  }
  bool found = false;
  try {
    numbers.response();
  } catch (const Error& error) {
    try {
      CHECK(error.status() == Status::aborted && error.cause() != nullptr);
      std::rethrow_exception(error.cause());
    } catch (const std::out_of_range&) {
      found = true;
    }
  }
  CHECK(found);
}

void a_service_may_answer_later(const char* path) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  {
    Plugin plugin = asking(path, Service::later("prices.quote", Encoding::json, [&](const ServiceCall& call, ServiceReply reply) {
                             std::lock_guard lock(mutex);
                             threads.emplace_back([id = std::string(call.request.text()), reply = std::move(reply)] {
                               std::this_thread::sleep_for(milliseconds(2));
                               if (id == "13") {
                                 reply.fail(Error(Status::not_found, "no such article"));
                               } else {
                                 CHECK(reply.reply("1" + id) == Status::ok && reply.reply("0") == Status::failed_precondition);
                               }
                             });
                           }));
    std::vector<std::future<Response>> quotes;
    for (int id = 0; id < 20; ++id) {
      quotes.push_back(plugin.prepare("service.quote").call_async(std::to_string(id)));
    }
    for (std::size_t id = 0; id < quotes.size(); ++id) {
      if (id == 13) {
        CHECK(REFUSED(not_found, quotes[id].get()).message() == "no such article");
      } else {
        CHECK(quotes[id].get().text() == "1" + std::to_string(id));
      }
    }
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

void a_reply_that_is_dropped_is_an_error_and_one_that_nobody_waits_for_says_so(const char* path) {
  std::optional<ServiceReply> kept;
  bool keep = false;
  Plugin plugin = asking(path, Service::later("prices.quote", Encoding::json, [&](const ServiceCall&, ServiceReply reply) {
                           if (keep) {
                             kept = std::move(reply);
                           }
                         }));
  CHECK(REFUSED(internal, plugin.call_json("service.quote", "5")).message().find("dropped") != std::string::npos);
  keep = true;
  Cancellation cancellation;
  std::future<Response> pending = plugin.prepare("service.quote").call_async("5", {.cancellation = cancellation});
  CHECK(kept && !kept->cancelled());
  cancellation.cancel();
  REFUSED(cancelled, pending.get());
  CHECK(kept->cancelled() && kept->reply("1") == Status::failed_precondition);
  pending = plugin.prepare("service.quote").call_async("5");
  std::thread other([&] { CHECK(kept->reply("77") == Status::ok); });
  CHECK(pending.get().text() == "77");
  other.join();
}

void a_service_may_call_the_plugin_and_not_close_it(const char* path) {
  Plugin plugin;
  plugin = asking(path, Service::json("prices.get", [&](std::string_view id) -> std::string {
                    if (id == "1") {
                      plugin.close(milliseconds(0));
                    }
                    return plugin.call_json("counter.alive", "");
                  }));
  CHECK(plugin.call_json("service.one", "7") == "0");
  CHECK(REFUSED(failed_precondition, plugin.call_json("service.one", "1")).type() == "rustbridge.CloseInsideCall");
  CHECK(plugin.state() == State::active);
}

void a_service_may_go_to_a_queue(const char* path) {
  Queue queue;
  Plugin plugin = asking(path, Service::queued("prices.quote", Encoding::json, queue, 42));
  std::future<Response> first = plugin.prepare("service.quote").call_async("5");
  std::vector<Event> events = queue.next(std::chrono::seconds(60));
  CHECK(events.size() == 1 && events[0].kind == Event::Kind::service && events[0].user_data == 42);
  Event event = std::move(events[0]);
  CHECK(event.service_call.request.text() == "5" && event.service_call.instance == plugin.handle());
  CHECK(event.reply.reply("50") == Status::ok && first.get().text() == "50");
  // One that nobody answers is answered when its event goes, and who doesn't wait any more is told of.
  std::future<Response> second = plugin.prepare("service.quote").call_async("6");
  CHECK(queue.next(std::chrono::seconds(60)).size() == 1);
  REFUSED(internal, second.get());
  Cancellation cancellation;
  std::future<Response> third = plugin.prepare("service.quote").call_async("7", {.cancellation = cancellation});
  events = queue.next(std::chrono::seconds(60));
  cancellation.cancel();
  REFUSED(cancelled, third.get());
  std::vector<Event> ends = queue.next(std::chrono::seconds(60));
  CHECK(ends.size() == 1 && ends[0].kind == Event::Kind::service_cancel && ends[0].service_number == events[0].service_number);
  CHECK(events[0].reply.reply("70") != Status::ok);
  queue.close();
  REFUSED(unavailable, plugin.call_json("service.quote", "8"));
}

void objects_are_held_lent_and_let_go_of(const char* path) {
  Plugin plugin = Plugin::load(path);
  auto alive = [&] { return plugin.call_json("counter.alive", ""); };
  // Without options there's no place for them.
  REFUSED(failed_precondition, plugin.call("counter.open", Encoding::json, "7"));
  {
    Response response = plugin.call("counter.open", Encoding::json, "7", {});
    Object counter = std::move(response.objects().at(0));
    Object other = std::move(plugin.prepare("counter.open_later").call_async("100").get().objects().at(0));
    CHECK(counter && counter.instance() == plugin.handle() && alive() == "2");
    CHECK(counter.call_json("Counter.add", "3") == "10" && counter.call_json("Counter.add_later", "1", {}) == "11");
    CHECK(counter.call_json("Counter.absorb", "1", {.objects = {other.number()}}) == "111");
    CHECK(plugin.call_json("counter.total", "[0,1]", {.objects = {counter.number(), other.number()}}) == "211");
    Stream upto = counter.prepare("Counter.upto").stream("115", {.objects = {counter.number()}});
    CHECK(std::ranges::distance(upto) == 4);
    counter = std::move(other);
    CHECK(alive() == "1" && counter.call_json("Counter.get", "") == "100" && !other);
    CHECK(counter.release() == Status::ok && alive() == "0" && counter.release() == Status::invalid_argument);
    REFUSED(invalid_argument, counter.call_json("Counter.get", ""));
    REFUSED(invalid_argument, plugin.call_json("counter.total", "[0]", {.objects = {12345}}));
  }
  std::vector<Object> many = std::move(plugin.call("counter.list", Encoding::json, "[1,2,3]", {}).objects());
  CHECK(alive() == "3" && many.at(2).call_json("Counter.get", "") == "3");
  many.clear();
  CHECK(alive() == "0");
  // Those that came with an answer nobody looks at go with it.
  plugin.call("counter.open", Encoding::json, "7", {});
  CHECK(alive() == "0");
  { Object bomb = std::move(plugin.call("bomb.open", Encoding::json, "", {}).objects().at(0)); }
  CHECK(plugin.state() == State::active);
}

void records_come_to_a_sink_that_may_throw(const char* path) {
  std::mutex mutex;
  std::vector<std::string> messages;
  auto kept = std::make_shared<int>(0);
  auto sink = [&, kept](const LogRecord& record) {
    std::lock_guard lock(mutex);
    messages.emplace_back(record.message);
    if (record.message == "user created") {
      CHECK(record.level == Level::debug && !record.is_span && record.instance == "users" && !record.fields.empty());
      CHECK(record.target == "hello_plugin::hello" && record.line > 0 && record.time.time_since_epoch().count() > 0);
    }
    throw std::runtime_error("not for the library");
  };
  std::string user = R"({"username":"ada","email":"ada@example.org"})";
  Plugin plugin = Plugin::load(path, {.name = "users", .log_level = Level::debug, .log = sink});
  for (int number = 0; number < 3; ++number) {
    plugin.call_json("user.create", user);
  }
  plugin.flush_logs(std::chrono::seconds(60));
  auto count = [&] {
    std::lock_guard lock(mutex);
    return std::count(messages.begin(), messages.end(), "user created");
  };
  CHECK(count() == 3);
  plugin.set_log_level(Level::info);
  plugin.call_json("user.create", user);
  plugin.flush_logs(std::chrono::seconds(60));
  CHECK(count() == 3);
  plugin.set_log_level(Level::debug);
  long before = kept.use_count();
  std::atomic<int> others{0};
  plugin.set_log_sink([&](const LogRecord&) { ++others; });
  CHECK(kept.use_count() == before - 1);
  plugin.call_json("user.create", user);
  plugin.flush_logs(std::chrono::seconds(60));
  CHECK(count() == 3 && others > 0);
  plugin.set_log_sink(nullptr);
  int seen = others;
  plugin.call_json("user.create", user);
  plugin.flush_logs(std::chrono::seconds(60));
  CHECK(others == seen);
  REFUSED(invalid_argument, plugin.set_log_level(static_cast<Level>(77)));
}

void a_sink_may_close_its_plugin(const char* path) {
  std::unique_ptr<Plugin> plugin;
  std::atomic<bool> closed{false};
  std::promise<void> loaded;
  std::shared_future<void> is_loaded = loaded.get_future().share();
  plugin = std::make_unique<Plugin>(Plugin::load(path, {.log_level = Level::trace, .log = [&, is_loaded](const LogRecord&) {
                                                          is_loaded.wait();
                                                          plugin->close(std::chrono::seconds(60));
                                                          closed = true;
                                                        }}));
  plugin->call_json("user.create", R"({"username":"ada","email":"ada@example.org"})");
  loaded.set_value();
  for (int wait = 0; wait < 60000 && !closed; ++wait) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  CHECK(closed && plugin->state() == State::closed);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 3);
  a_service_answers_what_the_plugin_asks(argv[1]);
  a_service_knows_what_came_with_the_call(argv[1]);
  a_service_knows_its_calls_number_and_metadata(argv[1]);
  a_service_sees_that_its_call_is_cancelled(argv[1]);
  what_a_service_throws_is_its_answer(argv[1]);
  what_a_service_throws_is_the_cause(argv[1]);
  what_ends_a_source_is_the_cause(argv[1]);
  a_service_may_answer_later(argv[1]);
  a_reply_that_is_dropped_is_an_error_and_one_that_nobody_waits_for_says_so(argv[1]);
  a_service_may_call_the_plugin_and_not_close_it(argv[1]);
  a_service_may_go_to_a_queue(argv[1]);
  objects_are_held_lent_and_let_go_of(argv[1]);
  records_come_to_a_sink_that_may_throw(argv[2]);
  a_sink_may_close_its_plugin(argv[2]);
  std::puts("services: ok");
}

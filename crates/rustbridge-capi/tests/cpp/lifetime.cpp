/* What lives how long: moved, closed, outlived, closed with something pending. Usage: lifetime HELLO OPERATIONS */
#include "check.hpp"

namespace {

using namespace rustbridge;
using std::chrono::milliseconds;

static_assert(!std::is_copy_constructible_v<Plugin> && std::is_nothrow_move_constructible_v<Plugin>);
static_assert(!std::is_copy_constructible_v<Response> && std::is_nothrow_move_constructible_v<Response>);
static_assert(!std::is_copy_constructible_v<Object> && std::is_nothrow_move_constructible_v<Object>);
static_assert(!std::is_copy_constructible_v<Stream> && !std::is_copy_constructible_v<Queue>);
static_assert(std::is_trivially_copyable_v<Method> && std::is_nothrow_copy_constructible_v<Error>);

bool is_live(rb_instance instance) {
  std::uint32_t state = 0;
  CHECK(rb_state(instance, &state, nullptr) == RB_OK);
  return state != RB_STATE_CLOSED;
}

void a_plugin_is_closed_when_it_goes(const char* path) {
  rb_instance first = 0;
  {
    Plugin plugin = Plugin::load(path, {.name = "mine"});
    first = plugin.handle();
    CHECK(plugin && plugin.state() == State::active && inspect().find("\"mine\"") != std::string::npos);
    CHECK(plugin.name() == "mine");
    CHECK(plugin.describe().find("\"hello\"") != std::string::npos && Plugin::describe(path) == plugin.describe());
    Plugin other = std::move(plugin);
    CHECK(!plugin && is_live(first) && other.handle() == first);
    plugin = Plugin::load(path);
    CHECK(plugin.name() == "hello");
    rb_instance second = plugin.handle();
    plugin = std::move(other);
    CHECK(plugin.handle() == first && !is_live(second));
  }
  CHECK(!is_live(first));
}

void what_was_moved_from_refuses(const char* path) {
  Plugin plugin = Plugin::load(path);
  Method greet = plugin.prepare("greet");
  Stream stream = plugin.prepare("countdown").stream(R"({"from":2})");
  Plugin elsewhere = std::move(plugin);
  Stream moved = std::move(stream);
  REFUSED(invalid_argument, plugin.call_json("greet", "{}"));
  REFUSED(invalid_argument, plugin.state());
  REFUSED(invalid_argument, plugin.describe());
  REFUSED(invalid_argument, plugin.name());
  REFUSED(invalid_argument, plugin.close());
  REFUSED(invalid_argument, plugin.flush_logs(milliseconds(1)));
  REFUSED(invalid_argument, plugin.set_log_level(Level::info));
  REFUSED(failed_precondition, stream.next());
  REFUSED(failed_precondition, stream.send("x"));
  REFUSED(failed_precondition, stream.finish());
  stream.cancel();
  CHECK(greet.call_json(R"({"name":"Ada"})").size() > 10 && moved.next()->text() == R"({"left":2})");
  REFUSED(invalid_argument, Method().call("x"));
  REFUSED(invalid_argument, Method().call("x", CallOptions()));
  REFUSED(invalid_argument, Method().call_async("x").get());
  REFUSED(invalid_argument, PodMethod<int, int>()(1));
  REFUSED(invalid_argument, greet.begin("{}", {}, nullptr));
  REFUSED(unimplemented, greet.stream("{}"));
  Object none;
  CHECK(!none && none.release() == Status::invalid_argument);
  REFUSED(invalid_argument, none.call_json("Counter.get", ""));
  CHECK(PendingCall().cancel() != Status::ok && PendingCall().detach() != Status::ok && !ServiceReply().cancelled());
  CHECK(ServiceReply().reply("x") == Status::failed_precondition);
  Queue queue;
  Queue other = std::move(queue);
  REFUSED(invalid_argument, queue.next(milliseconds(0)));
  REFUSED(invalid_argument, queue.begin(greet, "{}"));
  REFUSED(invalid_argument, queue.wake());
  other.close();
  other.close();
  REFUSED(invalid_argument, other.next(milliseconds(0)));
}

void what_outlives_its_plugin_keeps_its_memory_and_refuses_calls(const char* hello, const char* operations) {
  Plugin plugin = Plugin::load(hello);
  Method echo = plugin.prepare("echo");
  Response response = echo.call("{\"message\":\"" + std::string(10000, 'x') + "\"}");
  std::string before = response.to_string();
  Object counter = std::move(plugin.call("counter.new", Encoding::json, "{}", {}).objects().at(0));
  Stream stream = plugin.prepare("countdown").stream(R"({"from":1000})", {.window_items = 4});
  Plugin other = Plugin::load(operations);
  Cancellation cancellation;
  std::future<Response> never = other.prepare("async.never").call_async({}, {.cancellation = cancellation});
  plugin.close();
  plugin.close();
  CHECK(plugin.state() == State::closed && response.text() == before && before.size() > Response::own_bytes);
  REFUSED(unavailable, echo.call("{}"));
  REFUSED(unavailable, echo.call_async("{}").get());
  REFUSED(unavailable, counter.call_json("Counter.get", ""));
  CHECK(counter.release() == Status::not_found);
  // What was sent is there, and then it says that it's incomplete.
  std::size_t items = 0;
  auto take_all = [&] {
    while (stream.next()) {
      ++items;
    }
  };
  REFUSED(unavailable, take_all());
  CHECK(items == 4);
  REFUSED(unavailable, stream.next());
  // The other one has something pending that is cancelled while it's closed.
  Error running = REFUSED(deadline_exceeded, other.close(milliseconds(20)));
  CHECK(running.details().find("async.never") != std::string::npos && other.state() == State::closing);
  REFUSED(unavailable, other.call_json("async.dropped", ""));
  cancellation.cancel();
  REFUSED(cancelled, never.get());
  other.close((milliseconds::max)());
  CHECK(other.state() == State::closed);
}

void closing_may_cancel_what_is_pending(const char* operations) {
  Plugin plugin = Plugin::load(operations);
  std::future<Response> never = plugin.prepare("async.never").call_async({});
  plugin.close(std::chrono::seconds(60), milliseconds(5));
  REFUSED(cancelled, never.get());
  std::future<Response> other;
  rb_instance instance = 0;
  {
    Plugin ended = Plugin::load(operations, {.close_timeout = std::chrono::seconds(60), .cancel_after = milliseconds(0)});
    instance = ended.handle();
    other = ended.prepare("async.never").call_async({});
  }
  CHECK(!is_live(instance));
  REFUSED(cancelled, other.get());
}

void what_cannot_be_loaded_says_why_and_lets_go_of_what_it_was_given(const char* hello) {
  auto kept = std::make_shared<int>(7);
  Config config;
  config.log = [kept](const LogRecord&) {};
  config.services.push_back(Service::json("prices.get", [kept](std::string_view) { return std::string(); }));
  CHECK(kept.use_count() == 3);
  REFUSED(not_found, Plugin::load("no/such/file", config));
  REFUSED(invalid_argument, Plugin::load("", config));
  REFUSED(invalid_argument, Plugin::load_image("no library", config));
  config.json = "{";
  REFUSED(invalid_argument, Plugin::load(hello, config));
  config.json = "{\"first_user\":7}";
  // By hand it can be asked for; a sink that isn't there is none.
  config.services.push_back(Service("nobody", Encoding::json, nullptr));
  REFUSED(invalid_argument, Plugin::load(hello, config));
  config.services.pop_back();
  CHECK(kept.use_count() == 3);
  {
    Plugin plugin = Plugin::load(hello, config);
    CHECK(kept.use_count() > 3);
  }
  CHECK(kept.use_count() == 3);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 3);
  a_plugin_is_closed_when_it_goes(argv[1]);
  what_was_moved_from_refuses(argv[1]);
  what_outlives_its_plugin_keeps_its_memory_and_refuses_calls(argv[1], argv[2]);
  closing_may_cancel_what_is_pending(argv[2]);
  what_cannot_be_loaded_says_why_and_lets_go_of_what_it_was_given(argv[1]);
  std::puts("lifetime: ok");
}

/*
 * What the guides that go side by side show of C++: `cargo xtask tidy` looks for it here.
 * Usage: side_by_side HELLO OPERATIONS CONFORMANCE, the paths of three plugins.
 */
#include <iostream>
#include <sstream>

#include "check.hpp"

namespace {

void a_call_that_fails(const rustbridge::Plugin& hello) {
  std::ostringstream said;
  try {
    hello.call_json("math.add", R"({"a":9223372036854775807,"b":1})");
  } catch (const rustbridge::Error& error) {
    if (error.status() != rustbridge::Status::out_of_range) {
      throw;
    }
    said << error.type() << ": " << error.details() << "\n";
  }
  CHECK(said.str() == "MathError.Overflow: {\"a\":9223372036854775807,\"b\":1}\n");
}

void a_stream_that_breaks(const rustbridge::Plugin& plugin) {
  std::ostringstream said;
  try {
    for (const rustbridge::StreamItem& number : plugin.prepare("stream.numbers").stream(R"({"from":0,"to":5,"fail_at":3})")) {
      said << number.text() << ", ";
    }
  } catch (const rustbridge::Error& broken) {
    said << "then " << name_of(broken.status());  // 0, 1, 2, then DATA_LOSS
  }
  CHECK(said.str() == "0, 1, 2, then DATA_LOSS");
}

void an_awaited_call_that_fails(const rustbridge::Plugin& plugin) {
  std::ostringstream said;
  std::future<rustbridge::Response> answer = plugin.prepare("async.fail").call_async(R"({"text":"gone"})");
  try {
    answer.get();
  } catch (const rustbridge::Error& failed) {
    said << failed.message() << " " << failed.details();  // gone {"n":7}
  }
  CHECK(said.str() == R"(gone {"n":7})");
}

void records(const char* library) {
  std::ostringstream said;
  rustbridge::Plugin users = rustbridge::Plugin::load(library, {
      .name = "users",
      .log_level = rustbridge::Level::debug,
      .log = [&](const rustbridge::LogRecord& record) { said << record.message << " " << record.fields << "\n"; },
  });
  users.call_json("user.create", R"({"username":"ada","email":"b"})");
  users.flush_logs(std::chrono::seconds(1));     // waits until all so far was delivered
  users.set_log_level(rustbridge::Level::warn);  // takes effect at once
  CHECK(said.str().starts_with("user created {"));
}

struct Add {
  std::int64_t a, b;
};
struct Sum {
  std::int64_t result;
};

void without_copies(const rustbridge::Plugin& hello, rustbridge::Plugin conformance) {
  auto add = hello.prepare_pod<Add, Sum>("math.add");
  Sum sum = add({40, 2});
  CHECK(sum.result == 42);

  rustbridge::Method fill = conformance.prepare("raw.fill", rustbridge::Encoding::raw);
  std::array<std::byte, 4096> storage;
  std::span<std::byte> written = fill.call_into("1000", storage);
  CHECK(written.size() == 1000 && written[251] == std::byte{0});

  rustbridge::Response response = fill.call("100000");
  std::span<const std::byte> last = response.bytes().last(10);  // good as long as `response`
  conformance.close(std::chrono::seconds(60));
  CHECK(last.front() == std::byte{99'990 % 251});
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 4);
  rustbridge::Plugin hello = rustbridge::Plugin::load(argv[1]);
  rustbridge::Plugin operations = rustbridge::Plugin::load(argv[2]);
  a_call_that_fails(hello);
  a_stream_that_breaks(operations);
  an_awaited_call_that_fails(operations);
  records(argv[1]);
  without_copies(hello, rustbridge::Plugin::load(argv[3], {.json = R"({"label":"cpp"})"}));
  std::cout << "side by side: ok\n";
  return 0;
}

/* Calls, prepared and not, with storage and options; structs; and what their errors say. Usage: calls HELLO OPERATIONS CONFORMANCE */
#include <new>

#include "check.hpp"

namespace {

using namespace rustbridge;

std::atomic<std::size_t> allocations{0};

struct Add {
  std::int64_t a, b;
};
struct Sum {
  std::int64_t result;
};
struct Number {
  std::uint64_t value;
};

constexpr std::string_view greeting = R"({"greeting":"Hello, Ada! Welcome to rustbridge."})";

void text_and_bytes_of_any_kind_are_requests(const Plugin& hello) {
  std::string request = R"({"name":"Ada"})";
  std::vector<std::uint8_t> bytes(request.begin(), request.end());
  Method greet = hello.prepare("greet");
  CHECK(hello.call_json("greet", request) == greeting);
  CHECK(greet.call(request).text() == greeting);
  CHECK(greet.call(R"({"name":"Ada"})").text() == greeting);
  CHECK(greet.call(bytes).text() == greeting);
  CHECK(greet.call(std::as_bytes(std::span(bytes))).text() == greeting);
  CHECK(greet.shared().call(bytes).text() == greeting);
  const char* nothing = nullptr;
  CHECK(BytesView(nothing).empty() && BytesView(std::string_view()).empty() && BytesView(bytes).size() == bytes.size());
  REFUSED(invalid_argument, greet.call(nothing));
}

void a_prepared_call_of_structs_allocates_nothing(const Plugin& hello) {
  auto add = hello.prepare_pod<Add, Sum>("math.add");
  CHECK(add({40, 2}).result == 42);
  std::size_t before = allocations;
  std::int64_t total = 0;
  for (std::int64_t number = 0; number < 1000; ++number) {
    total += add({number, 1}).result;
  }
  CHECK(allocations == before);
  CHECK(total == 500500);
  CHECK(add.method().is_leaf() && add.method().leaf().call(BytesView::of(Add{1, 2})).as<Sum>().result == 3);
  CHECK(add.call({1, 2}, {.timeout = std::chrono::seconds(10)}).result == 3);
  CHECK(add.call_async({1, 2}).get().result == 3);
  Error error = REFUSED(out_of_range, add({INT64_MAX, 1}));
  CHECK(error.type() == "MathError.Overflow");
  REFUSED(out_of_range, add.call_async({INT64_MAX, 1}).get());
}

void structs_of_another_size_are_refused_before_a_call(const Plugin& hello) {
  Error error = REFUSED(invalid_argument, hello.prepare_pod<Sum, Sum>("math.add"));
  CHECK(error.type() == "rustbridge.InvalidLayout");
  REFUSED(invalid_argument, hello.prepare_pod<Add, Add>("math.add"));
  REFUSED(unimplemented, hello.prepare_pod<Add, Sum>("greet"));
  REFUSED(invalid_argument, hello.prepare("math.add", Encoding::pod).call(BytesView::of(Add{1, 2})).as<Add>());
}

void an_answer_goes_into_storage_or_says_that_it_does_not_fit(const Plugin& hello) {
  Method greet = hello.prepare("greet");
  std::array<std::byte, 64> storage{};
  std::size_t before = allocations;
  std::span<std::byte> answer = greet.call_into(R"({"name":"Ada"})", storage);
  CHECK(allocations == before);
  CHECK(BytesView(answer).text() == greeting && answer.data() == storage.data());
  try {
    greet.call_into(R"({"name":"Ada"})", std::span(storage).first(10));
    CHECK(false);
  } catch (const ResponseTooLarge& error) {
    CHECK(error.response().text() == greeting && error.status() == Status::out_of_range);
  }
  REFUSED(invalid_argument, greet.call_into("{", storage));
}

void small_answers_are_in_the_response_and_large_ones_in_the_plugin(const Plugin& conformance) {
  Method fill = conformance.prepare("raw.fill", Encoding::raw);
  for (std::size_t size : {0u, 1u, 255u, 256u, 257u, 100000u}) {
    Response response = fill.call(std::to_string(size));
    CHECK(response.size() == size && response.empty() == (size == 0));
    Response moved = std::move(response);
    CHECK(moved.size() == size && moved.to_string().size() == size);
    CHECK(response.empty() && response.text().empty());
    response = std::move(moved);
    CHECK(response.size() == size && moved.empty());
    Response other = fill.call("3");
    std::swap(other, response);
    CHECK(response.size() == 3 && other.size() == size);
  }
}

void an_error_says_what_the_plugin_said(const Plugin& hello) {
  Error error = REFUSED(out_of_range, hello.call_json("math.add", R"({"a":9223372036854775807,"b":1})"));
  CHECK(error.message() == "9223372036854775807 + 1 doesn't fit into 64 bits" && error.message() == error.what());
  CHECK(error.type() == "MathError.Overflow");
  CHECK(error.details() == R"({"a":9223372036854775807,"b":1})");
  CHECK(error.backtrace().empty() && error.trailers().empty());
  Error again = Error::of(RB_OUT_OF_RANGE, error.payload());
  CHECK(again.message() == error.message() && again.type() == error.type() && again.details() == error.details());
  REFUSED(not_found, hello.prepare("no.such.method"));
  REFUSED(unimplemented, hello.prepare("greet", Encoding::pod));
  REFUSED(not_found, hello.prepare_id(77));
}

void whatever_a_payload_is_an_error_says_something() {
  CHECK(Error::of(RB_ABORTED, {}).message() == "the call failed with status ABORTED and no message");
  CHECK(Error::of(99, "no JSON").status() == Status::unknown);
  CHECK(Error::of(RB_OK, "no JSON").status() == Status::unknown && Error::of(99, "no JSON").message() == "no JSON");
  CHECK(Error::of(2, R"({"message":"a\u00e9\n\ud83e\udd80\ud83e","type":"T"})").message() == "a\xC3\xA9\n\xF0\x9F\xA6\x80\xEF\xBF\xBD");
  CHECK(Error::of(2, R"({"message":7,"type":[],"details":null})").message() == R"({"message":7,"type":[],"details":null})");
  CHECK(Error::of(2, R"( { "message" : "m" , "details" : [ 1, {"a":-0.5e+3} ] } )").details() == R"([ 1, {"a":-0.5e+3} ])");
  CHECK(Error::of(2, "{\"message\":\"\xFF\"}").message() == "\xEF\xBF\xBD");
  for (const char* wrong : {"{", "{}x", R"({"message":"m")", R"({"message":"m",})", R"({"message":"m","n":01})", R"({"message":"\x"})",
                            R"({"message":"m" "n":1})", "{\"message\":\"\n\"}", R"({"message":"m","n":tru})", R"({"n":"\u12"})"}) {
    CHECK(Error::of(2, wrong).message() == wrong);
  }
  std::string deep = R"({"message":"m","details":)" + std::string(100000, '[');
  CHECK(Error::of(2, deep).message() == deep);
  CHECK(Error(Status::ok, "").status() == Status::unknown);
  CHECK(Error(Status::aborted, "m", "T", "{\"n\":7}").payload() == R"({"code":"ABORTED","message":"m","type":"T","details":{"n":7}})");
  CHECK(Error(Status::aborted, "\"\x01\\\xFF", "", "no JSON").payload() ==
        "{\"code\":\"ABORTED\",\"message\":\"\\\"\\u0001\\\\\xEF\xBF\xBD\",\"type\":\"\",\"details\":\"no JSON\"}");
  CHECK(name_of(Status::data_loss) == "DATA_LOSS" && name_of(Status::unauthenticated) == "UNAUTHENTICATED");
}

void options_go_with_a_call_and_trailers_come_back(const Plugin& operations) {
  CallOptions options;
  options.timeout = std::chrono::seconds(100);
  options.metadata = {{"user", "ada"}, {"user", "bob"}};
  options.metadata.add("empty", std::string_view());
  options.trace = Trace{.trace_id = {1}, .span_id = {2}, .flags = 1, .state = "a=b"};
  Response response = operations.call("call.carried", Encoding::json, {}, options);
  CHECK(response.text() == R"({"has_deadline":true,"metadata":[["user","ada"],["user","bob"],["empty",""]],)"
                           R"("trace":"00-01000000000000000000000000000000-0200000000000000-01","state":"a=b"})");
  CHECK(response.trailers().get("user") == "ada" && response.trailers().pairs().size() == 3);
  CHECK(response.trailers().get("empty") == "" && !response.trailers().get("none"));
  Error failed = REFUSED(aborted, operations.call("call.fail", Encoding::json, {}, options));
  CHECK(failed.trailers().get("why") == "because" && failed.details() == R"({"n":7})");
  CHECK(operations.call_json("call.carried", {}, CallOptions()) == R"({"has_deadline":false,"metadata":[],"trace":null,"state":null})");
  REFUSED(invalid_argument, Metadata().add("key", std::string(70000, 'x')));
  options.metadata = {{"No Key", "x"}};
  REFUSED(invalid_argument, operations.call_json("call.carried", {}, options));
  options.metadata = Metadata::of_encoded("\7\7\7");
  CHECK(options.metadata.pairs().empty());
  REFUSED(invalid_argument, operations.call_json("call.carried", {}, options));
}

void a_call_ends_when_its_time_is_over(const Plugin& operations) {
  std::string_view minute = R"({"ms":60000})";
  auto now = std::chrono::steady_clock::now();
  REFUSED(deadline_exceeded, operations.call_json("call.sleep", minute, {.timeout = std::chrono::milliseconds(5)}));
  REFUSED(deadline_exceeded, operations.call_json("call.sleep", minute, {.deadline = now + std::chrono::milliseconds(5)}));
  REFUSED(deadline_exceeded, operations.call_json("call.sleep", minute, {.timeout = std::chrono::nanoseconds(-1)}));
  REFUSED(deadline_exceeded,
          operations.call_json("async.never", {}, {.timeout = std::chrono::hours(1), .deadline = now + std::chrono::milliseconds(5)}));
  CHECK(operations.call_json("call.sleep", R"({"ms":1})", {.timeout = (std::chrono::nanoseconds::max)()}) == "null");
}

}  // namespace

// Compilers that look into both halves think that they don't belong together.
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

APART void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  throw std::bad_alloc();
}
APART void operator delete(void* memory) noexcept { std::free(memory); }
APART void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  CHECK(argc == 4);
  Plugin hello = Plugin::load(argv[1]);
  Plugin operations = Plugin::load(argv[2]);
  Plugin conformance = Plugin::load(argv[3], {.json = R"({"label":"calls"})"});
  text_and_bytes_of_any_kind_are_requests(hello);
  a_prepared_call_of_structs_allocates_nothing(hello);
  structs_of_another_size_are_refused_before_a_call(hello);
  an_answer_goes_into_storage_or_says_that_it_does_not_fit(hello);
  small_answers_are_in_the_response_and_large_ones_in_the_plugin(conformance);
  an_error_says_what_the_plugin_said(hello);
  whatever_a_payload_is_an_error_says_something();
  options_go_with_a_call_and_trailers_come_back(operations);
  a_call_ends_when_its_time_is_over(operations);
  std::puts("calls: ok");
}

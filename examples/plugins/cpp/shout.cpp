// A plugin in C++: converts text to capitals, counts these calls, and adds numbers.
//
// No exception may leave a function of the plugin's table. So each function that may throw runs its code within `guarded`.

#include <rustbridge_plugin.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

// docs/describe.md specifies the format. `call` receives the indices.
constexpr std::string_view description = R"({"abi":"1.0","name":"shout-cpp","version":"1.0.0","methods":[
  {"name":"shout","doc":"Answers a text in capitals.","entries":[{"index":0,"encoding":"raw"}]},
  {"name":"add","doc":"Adds two integers.","entries":[{"index":1,"encoding":"pod","leaf":true,
    "request":{"layout":{"type":"Add","size":16,"align":8,"fields":[
      {"name":"a","type":"i64","offset":0,"size":8},{"name":"b","type":"i64","offset":8,"size":8}]}},
    "response":{"layout":{"type":"Sum","size":8,"align":8,"fields":[
      {"name":"sum","type":"i64","offset":0,"size":8}]}}}]},
  {"name":"crash","doc":"Throws.","entries":[{"index":2,"encoding":"raw"}]}]})";

// An error for the caller: a status, and an error type that identifies it.
class Failure : public std::runtime_error {
 public:
  Failure(rb_status status, const char *code, const char *type, const char *message)
      : std::runtime_error(message), status(status), code(code), type(type) {}
  const rb_status status;
  const char *const code;
  const char *const type;
};

// Returns text escaped for a JSON string. Control characters become spaces.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

// Returns bytes in the caller's buffer, or in memory that the plugin allocates. Doesn't throw, since it reports exceptions.
rb_status answer(rb_response *response, rb_status status, std::string_view bytes) noexcept {
  if (response == nullptr) {
    return status;
  }
  response->len = bytes.size();
  response->release = nullptr;
  if (bytes.size() > response->capacity) {
    void *memory = std::malloc(bytes.size());
    if (memory == nullptr) {
      response->len = 0;
      return status == RB_OK ? RB_RESOURCE_EXHAUSTED : status;
    }
    response->data = static_cast<uint8_t *>(memory);
    response->capacity = bytes.size();
    response->owner = memory;
    response->release = [](rb_response *done) { std::free(done->owner); };
  }
  if (!bytes.empty()) {
    std::memcpy(response->data, bytes.data(), bytes.size());
  }
  return status;
}

rb_status failed(rb_response *response, rb_status status, std::string_view code, std::string_view type,
                 std::string_view message) {
  std::string json = R"({"code":")";
  json.append(code).append(R"(","type":")").append(type);
  json.append(R"(","message":")").append(escaped(message)).append("\"}");
  return answer(response, status, json);
}

// Runs code that may throw. To the caller, an exception other than `Failure` and `bad_alloc` is like a panic in Rust: because
// of `RB_PANICKED`, the core does what the host's option `on_panic` specifies. There may be no memory left to report it.
template <typename Body>
rb_status guarded(rb_response *response, Body body) noexcept {
  try {
    try {
      return body();
    } catch (const Failure &failure) {
      return failed(response, failure.status, failure.code, failure.type, failure.what());
    } catch (const std::bad_alloc &) {
      return answer(response, RB_RESOURCE_EXHAUSTED, R"({"code":"RESOURCE_EXHAUSTED","message":"no memory"})");
    } catch (const std::exception &exception) {
      return failed(response, RB_INTERNAL | RB_PANICKED, "INTERNAL", "shout.Exception", exception.what());
    }
  } catch (...) {
    return answer(response, RB_INTERNAL | RB_PANICKED, R"({"code":"INTERNAL","message":"an unknown exception"})");
  }
}

class Shouter {
 public:
  explicit Shouter(const rb_host *host) : host_(host) {}

  rb_status shout(std::string_view text, rb_response *response) {
    if (text.empty()) {
      throw Failure(RB_INVALID_ARGUMENT, "INVALID_ARGUMENT", "shout.Empty", "there is nothing to shout");
    }
    std::string loud(text);
    for (char &c : loud) {
      const auto byte = static_cast<unsigned char>(c);
      c = byte < 128 ? static_cast<char>(std::toupper(byte)) : c;
    }
    // Calls may run on any threads, several at the same time.
    const auto count = shouted_.fetch_add(1, std::memory_order_relaxed) + 1;
    log(RB_LOG_INFO, "shouted", "{\"count\":" + std::to_string(count) + "}");
    return answer(response, RB_OK, loud);
  }

 private:
  void log(rb_level level, std::string_view message, const std::string &fields) const {
    if (__atomic_load_n(host_->log_level, __ATOMIC_RELAXED) < level) {
      return;
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    rb_log_record record = {};
    record.size = sizeof record;
    record.level = level;
    record.kind = RB_RECORD_EVENT;
    record.time_unix_ns = static_cast<uint64_t>(std::chrono::nanoseconds(now).count());
    record.target = {"shout", 5};
    record.message = {message.data(), message.size()};
    record.fields = {fields.data(), fields.size()};
    host_->log(host_->context, &record);
  }

  const rb_host *const host_;
  std::atomic<uint64_t> shouted_{0};
};

// The request may be unaligned, so it's copied instead of cast.
rb_status add(std::string_view request, rb_response *response) {
  int64_t numbers[2];
  if (request.size() != sizeof numbers) {
    throw Failure(RB_INVALID_ARGUMENT, "INVALID_ARGUMENT", "shout.Size", "a struct of 16 bytes was expected");
  }
  std::memcpy(numbers, request.data(), sizeof numbers);
  int64_t sum;
  if (__builtin_add_overflow(numbers[0], numbers[1], &sum)) {
    throw Failure(RB_OUT_OF_RANGE, "OUT_OF_RANGE", "shout.Overflow", "the sum has no 64 bits");
  }
  return answer(response, RB_OK, {reinterpret_cast<const char *>(&sum), sizeof sum});
}

rb_status describe(void *, rb_response *response) {
  return answer(response, RB_OK, description);
}

rb_status create(void *, const rb_host *host, const uint8_t *, size_t, void **instance, rb_response *error) {
  return guarded(error, [=] {
    *instance = new Shouter(host);
    return answer(error, RB_OK, {});
  });
}

rb_status call(void *instance, uint32_t entry, const rb_call_context *, const uint8_t *request, size_t request_len,
               rb_response *response) {
  return guarded(response, [=] {
    const std::string_view bytes(reinterpret_cast<const char *>(request), request_len);
    switch (entry) {
      case 0: return static_cast<Shouter *>(instance)->shout(bytes, response);
      case 1: return add(bytes, response);
      case 2:
        if (bytes == "odd") {
          throw 7;
        }
        throw std::logic_error("thrown on purpose");
      default: throw Failure(RB_NOT_FOUND, "NOT_FOUND", "shout.Entry", "there is no such entry");
    }
  });
}

rb_status destroy(void *instance, rb_response *error) {
  return guarded(error, [=] {
    delete static_cast<Shouter *>(instance);
    return answer(error, RB_OK, {});
  });
}

const void *extension(void *, const char *) {
  return nullptr;
}

}  // namespace

const rb_plugin_table *rustbridge_plugin(uint32_t) {
  static constexpr rb_plugin_table table = {sizeof(rb_plugin_table), RB_ABI_VERSION, nullptr, describe, create, call, destroy,
                                            extension};
  return &table;
}

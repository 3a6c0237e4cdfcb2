/* Part of rustbridge.hpp. Plugins: loading, closing, and what is loaded. */
#ifndef RUSTBRIDGE_PLUGIN_HPP
#define RUSTBRIDGE_PLUGIN_HPP

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "log.hpp"
#include "pod_method.hpp"
#include "queue.hpp"
#include "service.hpp"

namespace rustbridge {

/// Options for loading a plugin and for its instance.
struct Config {
  /// The plugin's configuration as JSON; none is `{}`.
  std::optional<std::string> json{};
  /// Name of the instance in messages and records; empty for the plugin's own name.
  std::string name{};
  /// The level up to which records are made. None is `info` with a `log`, and `off` without.
  std::optional<Level> log_level{};
  /// The log sink. Objects that it refers to must live until the plugin is closed.
  LogSink log{};
  /// How many records may wait for it before the newest are dropped; 0 is the library's own number, 4096.
  std::uint32_t log_capacity = 0;
  /// How many threads the plugin may use at once for synchronous handlers that are offloaded or wait for the items of a stream, and the library for
  /// services that the plugin awaits. Further ones wait; 0 is the library's default, 512.
  std::uint32_t threads = 0;
  /// The host's functions that the plugin may call. If a required one is missing, the plugin isn't loaded.
  std::vector<Service> services{};
  /// The client schema of the typed client that loads the plugin, which is compared with the plugin's types; empty for none.
  std::string client_schema{};
  /// Whether a panic makes the instance refuse further calls.
  bool poison_on_panic = false;
  /// Whether errors of panics have Rust's backtrace.
  bool backtraces = false;
  /// Whether the library is mapped once more for this instance alone; see `RB_LOAD_OWN_COPY`.
  bool own_copy = false;
  /// How long the destructor waits for calls that run.
  std::chrono::milliseconds close_timeout = std::chrono::seconds(10);
  /// How long the destructor lets pending calls continue before it cancels them; none: it doesn't cancel them.
  std::optional<std::chrono::milliseconds> cancel_after{};
};

/// A running plugin: one instance, with its own configuration, state and log level. The destructor closes it.
class Plugin {
 public:
  /// Stands for none.
  Plugin() noexcept = default;
  Plugin(Plugin&& other) noexcept
      : instance_(std::exchange(other.instance_, 0)), close_timeout_(other.close_timeout_), cancel_after_(other.cancel_after_) {}
  Plugin& operator=(Plugin&& other) noexcept {
    if (this != &other) {
      end();
      instance_ = std::exchange(other.instance_, 0);
      close_timeout_ = other.close_timeout_;
      cancel_after_ = other.cancel_after_;
    }
    return *this;
  }
  /// Closes it, and waits for running calls up to `Config::close_timeout`. Errors are swallowed; `close` reports them. If calls run longer, or this
  /// runs inside one, the instance refuses new calls and stays until the process ends.
  ~Plugin() { end(); }

  /// Loads a plugin from a file and makes an instance of it.
  static Plugin load(const std::filesystem::path& path, const Config& config = {}) {
    rb_load_options options{};
    std::u8string text = text_of(path);
    options.path = {reinterpret_cast<const char*>(text.data()), text.size()};
    return load(options, config);
  }

  /// Loads one from the bytes of its library.
  static Plugin load_image(BytesView image, const Config& config = {}) {
    rb_load_options options{};
    options.image = image.data();
    options.image_len = image.size();
    return load(options, config);
  }

  /// Returns a plugin's description, as JSON, without an instance.
  static std::string describe(const std::filesystem::path& path) {
    rb_load_options options{};
    std::u8string text = text_of(path);
    options.size = sizeof options;
    options.path = {reinterpret_cast<const char*>(text.data()), text.size()};
    return said([&](rb_response* response) { return rb_describe_plugin(&options, response); });
  }

  /// Returns its description, as JSON: name, version, methods with their encodings, schemas and layouts.
  std::string describe() const {
    return said([&](rb_response* response) { return rb_describe(instance_, response); });
  }

  /// The name that it goes by in messages and records: the one it was loaded with, else the plugin's own.
  std::string name() const {
    return said([&](rb_response* response) { return rb_name(instance_, response); });
  }

  /// The number that stands for the instance; 0 of one that stands for none.
  rb_instance handle() const noexcept { return instance_; }
  explicit operator bool() const noexcept { return instance_ != 0; }

  State state() const {
    std::uint32_t state = 0;
    rb_response error{};
    detail::check(rb_state(instance_, &state, &error), error);
    return static_cast<State>(state);
  }

  /// Finds a method by name, or by its number, for one encoding. Do this once and keep the result.
  Method prepare(std::string_view method, Encoding encoding = Encoding::json) const { return Method(instance_, method, encoding); }
  Method prepare_id(std::uint32_t id, Encoding encoding = Encoding::json) const { return Method(instance_, id, encoding); }

  /// Finds a method of structs, and compares their sizes.
  template <class Request, class Answer>
  PodMethod<Request, Answer> prepare_pod(std::string_view method) const {
    return PodMethod<Request, Answer>(prepare(method, Encoding::pod));
  }

  /// Calls a method by name, looking it up each time.
  Response call(std::string_view method, Encoding encoding, BytesView request) const {
    return prepare(method, encoding).call(request);
  }
  Response call(std::string_view method, Encoding encoding, BytesView request, const CallOptions& options) const {
    return prepare(method, encoding).call(request, options);
  }
  std::string call_json(std::string_view method, std::string_view json) const { return prepare(method).call_json(json); }
  std::string call_json(std::string_view method, std::string_view json, const CallOptions& options) const {
    return prepare(method).call_json(json, options);
  }

  /// Sets the level up to which records are made, at once.
  void set_log_level(Level level) const {
    rb_response error{};
    detail::check(rb_log_set_level(instance_, static_cast<rb_level>(level), &error), error);
  }

  /// Replaces the sink; an empty one removes it. Waits until the old one has returned from its current record.
  template <class Rep = std::int64_t, class Period = std::milli>
  void set_log_sink(LogSink sink, std::chrono::duration<Rep, Period> timeout = std::chrono::milliseconds(10000)) const {
    rb_log_sink native = detail::sink_of(std::move(sink));
    rb_response error{};
    detail::check(rb_log_set_sink(instance_, &native, detail::milliseconds_of(timeout), &error), error);
  }

  /// Waits until the records so far were delivered.
  template <class Rep, class Period>
  void flush_logs(std::chrono::duration<Rep, Period> timeout) const {
    rb_response error{};
    detail::check(rb_log_flush(instance_, detail::milliseconds_of(timeout), &error), error);
  }

  /// Closes it: refuses new calls, waits for running ones, delivers the log and destroys the instance. Closing twice is allowed.
  /// `deadline_exceeded`: calls still run, and the details list them; closing again continues to wait. `failed_precondition`: it was called
  /// inside a call of the same instance. `duration::max()` waits without a limit.
  template <class Rep = std::int64_t, class Period = std::milli>
  void close(std::chrono::duration<Rep, Period> timeout = std::chrono::milliseconds(10000)) const {
    rb_response report{};
    closed(rb_close(instance_, detail::milliseconds_of(timeout), &report), report);
  }

  /// Closes it, and cancels pending calls after a time of its own.
  template <class Rep, class Period, class OtherRep, class OtherPeriod>
  void close(std::chrono::duration<Rep, Period> timeout, std::chrono::duration<OtherRep, OtherPeriod> cancel_after) const {
    rb_response report{};
    rb_close_options options = closing(detail::milliseconds_of(timeout), detail::milliseconds_of(cancel_after));
    closed(rb_close_with(instance_, &options, &report), report);
  }

 private:
  explicit Plugin(const Config& config) noexcept : close_timeout_(config.close_timeout), cancel_after_(config.cancel_after) {}

  static std::u8string text_of(const std::filesystem::path& path) {
#if defined(_WIN32)
    return path.u8string();
#else
    // Bytes as the system has them, whatever they mean.
    const std::string& native = path.native();
    return std::u8string(native.begin(), native.end());
#endif
  }

  static Plugin load(rb_load_options& options, const Config& config) {
    if (rb_abi_version() >> 16 != RB_ABI_MAJOR) {
      throw Error(Status::failed_precondition,
                  "the major versions of librustbridge and rustbridge.h differ: use the same release of both", "rustbridge.AbiVersion");
    }
    Plugin plugin(config);
    options.size = sizeof options;
    options.flags = (config.poison_on_panic ? RB_LOAD_POISON : 0u) | (config.backtraces ? RB_LOAD_BACKTRACE : 0u) |
                    (config.own_copy ? RB_LOAD_OWN_COPY : 0u);
    if (config.json) {
      // Null would mean that there is none.
      options.config = reinterpret_cast<const std::uint8_t*>(config.json->data());
      options.config_len = config.json->size();
    }
    options.name = detail::text_of(config.name);
    options.log_level = static_cast<rb_level>(config.log_level.value_or(config.log ? Level::info : Level::off));
    options.log_capacity = config.log_capacity;
    options.threads = config.threads;
    LoadResources lent(config);
    options.log = config.log ? &lent.sink : nullptr;
    options.services = lent.services.empty() ? nullptr : lent.services.data();
    options.service_count = lent.services.size();
    options.client_schema = detail::text_of(config.client_schema);
    rb_response error{};
    lent.is_the_librarys = true;
    detail::check(rb_load(&options, &plugin.instance_, &error), error);
    return plugin;
  }

  /// Resources for the library, released here if it never receives them.
  struct LoadResources {
    rb_log_sink sink{};
    std::vector<rb_service> services;
    bool is_the_librarys = false;

    explicit LoadResources(const Config& config) {
      services.reserve(config.services.size());
      try {
        for (const Service& service : config.services) {
          services.push_back(service.to_native());
        }
        sink = detail::sink_of(config.log);
      } catch (...) {
        drop();
        throw;
      }
    }
    LoadResources(const LoadResources&) = delete;
    ~LoadResources() {
      if (!is_the_librarys) {
        drop();
      }
    }

    void drop() noexcept {
      for (const rb_service& service : services) {
        if (service.drop != nullptr) {
          service.drop(service.user_data);
        }
      }
      if (sink.drop != nullptr) {
        sink.drop(sink.user_data);
      }
    }
  };

  template <class Ask>
  static std::string said(Ask&& ask) {
    Response response;
    rb_response raw = detail::Access::storage(response);
    rb_status status = ask(&raw);
    detail::Access::put(response, raw);
    if (status != RB_OK) {
      throw Error::of(status, response.bytes());
    }
    return response.to_string();
  }

  static rb_close_options closing(std::uint64_t timeout_ms, std::optional<std::uint64_t> cancel_after_ms) noexcept {
    rb_close_options options{};
    options.size = sizeof options;
    options.flags = cancel_after_ms ? RB_CLOSE_CANCEL : 0;
    options.timeout_ms = timeout_ms;
    options.cancel_after_ms = cancel_after_ms.value_or(0);
    return options;
  }

  static void closed(rb_status status, rb_response& report) {
    if (status == RB_UNAVAILABLE) {
      // It's closed already, as requested.
      rb_response_release(&report);
    } else {
      detail::check(status, report);
    }
  }

  void end() noexcept {
    if (instance_ != 0) {
      std::optional<std::uint64_t> cancel_after;
      if (cancel_after_) {
        cancel_after = detail::milliseconds_of(*cancel_after_);
      }
      rb_close_options options = closing(detail::milliseconds_of(close_timeout_), cancel_after);
      rb_close_with(instance_, &options, nullptr);
      instance_ = 0;
    }
  }

  friend std::string inspect();

  rb_instance instance_ = 0;
  std::chrono::milliseconds close_timeout_{10000};
  std::optional<std::chrono::milliseconds> cancel_after_;
};

/// Returns all that is loaded in this process, as JSON: the mapped libraries, and the live instances with state, running and pending calls. For people
/// and tests.
inline std::string inspect() {
  return Plugin::said([](rb_response* response) { return rb_inspect(response); });
}

}  // namespace rustbridge

#endif  // RUSTBRIDGE_PLUGIN_HPP

/* Part of rustbridge.hpp. Functions of the host's that plugins call. */
#ifndef RUSTBRIDGE_SERVICE_HPP
#define RUSTBRIDGE_SERVICE_HPP

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>

#include "queue.hpp"

namespace rustbridge {

/// A function of the host that a plugin calls, registered when the plugin is loaded. Calls are concurrent: on the plugin's thread if that waits, and
/// on a thread of the library if the plugin awaits the answer. The function may call the plugin, but not close it. The plugin receives an
/// `Error` that it throws unchanged, and every other exception as `internal`.
class Service {
 public:
  /// Answers a call at once.
  using Function = std::function<std::string(const ServiceCall& call)>;
  /// Answers a call later, by the reply.
  using Later = std::function<void(const ServiceCall& call, ServiceReply reply)>;

  /// A service in any encoding; `call.request` is the request, and the answer is its bytes.
  Service(std::string name, Encoding encoding, Function function)
      : name_(std::move(name)), encoding_(encoding), function_(std::move(function)) {}

  /// A service by JSON, of text to text.
  static Service json(std::string name, std::function<std::string(std::string_view request)> function) {
    Function of_call;
    if (function) {
      of_call = [function = std::move(function)](const ServiceCall& call) { return function(call.request.text()); };
    }
    return Service(std::move(name), Encoding::json, std::move(of_call));
  }

  /// A service of structs.
  template <class Request, class Answer>
  static Service pod(std::string name, std::function<Answer(const Request&)> function) {
    Function of_call;
    if (function) {
      of_call = [function = std::move(function)](const ServiceCall& call) {
        Answer answer = function(detail::pod_of<Request>(call.request.data(), call.request.size()));
        return std::string(BytesView::of(answer).text());
      };
    }
    return Service(std::move(name), Encoding::pod, std::move(of_call));
  }

  /// A service that blocks no thread of the plugin: its function receives a reply object to answer with later.
  static Service later(std::string name, Encoding encoding, Later function) {
    Service service(std::move(name), encoding, Function());
    service.later_ = std::move(function);
    return service;
  }

  /// Returns the same service, declared to return quickly and not to block. It's always called on the calling thread of the plugin, even if that is the
  /// thread of an event loop. This saves a thread switch if the plugin awaits the answer. A service of `later` is always such a service.
  Service as_short() const {
    Service service = *this;
    service.is_short_ = true;
    return service;
  }

  /// A service that goes to a queue, where its calls are events with `tag` as their `user_data`. The queue has to stay open as long as the
  /// plugin may call it.
  static Service queued(std::string name, Encoding encoding, const Queue& queue, std::uint64_t tag = 0) {
    Service service(std::move(name), encoding, Function());
    service.queue_ = queue.number();
    service.tag_ = tag;
    return service;
  }

  const std::string& name() const noexcept { return name_; }
  Encoding encoding() const noexcept { return encoding_; }

 private:
  friend class Plugin;

  /// Has `ServiceCall::current` return a call, as long as this is there.
  struct Current {
    explicit Current(const ServiceCall& call) noexcept : outer(std::exchange(ServiceCall::current_, &call)) {}
    Current(const Current&) = delete;
    ~Current() { ServiceCall::current_ = outer; }
    const ServiceCall* outer;
  };

  /// The service's `user_data` in the library, until the library drops it.
  struct Target {
    Function function;
    Later later;
    /// The deferred calls, for notification when an answer is no longer needed.
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::weak_ptr<ServiceReply::State>> waiting;

    rb_status answer(const rb_service_call* raw, rb_response* response) {
      ServiceCall call(raw->instance, raw->call_context, BytesView(raw->request, raw->request_len));
      Current current(call);
      if (later) {
        return begin(raw, call, response);
      }
      std::string answer = function(call);
      BytesView bytes(answer);
      return rb_respond(response, bytes.data(), bytes.size());
    }

    rb_status begin(const rb_service_call* raw, const ServiceCall& call, rb_response* response) {
      std::uint64_t number = 0;
      std::shared_ptr<ServiceReply::State> state;
      {
        // The notification that an answer is no longer needed finds the call here.
        std::lock_guard lock(mutex);
        if (rb_status status = rb_service_defer(raw, &number, response); status != RB_OK) {
          return status;
        }
        std::erase_if(waiting, [](const auto& one) { return one.second.expired(); });
        state = std::make_shared<ServiceReply::State>(number);
        waiting.emplace(number, state);
      }
      state->inside = std::this_thread::get_id();
      ServiceReply reply;
      reply.state_ = state;
      try {
        later(call, std::move(reply));
        state->inside = std::thread::id();
      } catch (...) {
        state->inside = std::thread::id();
        ServiceReply thrown;
        thrown.state_ = std::move(state);
        thrown.fail(error_of_current());
      }
      return RB_PENDING;
    }

    void cancelled(std::uint64_t number) {
      std::lock_guard lock(mutex);
      if (auto found = waiting.find(number); found != waiting.end()) {
        if (auto state = found->second.lock()) {
          state->cancelled = true;
        }
        waiting.erase(found);
      }
    }
  };

  /// The exception that is being handled, as a plugin gets it.
  static Error error_of_current() {
    try {
      throw;
    } catch (const Error& error) {
      return error;
    } catch (const std::exception& error) {
      return Error(Status::internal, error.what(), "std::exception");
    } catch (...) {
      return Error(Status::internal, "the service threw a value that isn't a std::exception");
    }
  }

  static rb_status called(void* user_data, const rb_service_call* call, rb_response* response) noexcept {
    try {
      try {
        return static_cast<Target*>(user_data)->answer(call, response);
      } catch (...) {
        Error error = error_of_current();
        std::string payload = error.told();
        BytesView bytes(payload);
        rb_respond(response, bytes.data(), bytes.size());
        return static_cast<rb_status>(error.status());
      }
    } catch (...) {
      // There is no memory for more details.
      return RB_INTERNAL;
    }
  }

  static void told(void* user_data, std::uint64_t number) noexcept {
    try {
      static_cast<Target*>(user_data)->cancelled(number);
    } catch (...) {
      // The failure can't be reported, and a late reply does no harm.
    }
  }

  static void dropped(void* user_data) noexcept { delete static_cast<Target*>(user_data); }

  /// Converts it for C. The library owns its `user_data` from `rb_load` on.
  rb_service to_native() const {
    rb_service service{};
    service.size = sizeof service;
    service.encoding = static_cast<rb_encoding>(encoding_);
    service.name = detail::text_of(name_);
    service.queue = queue_;
    if (queue_ != 0) {
      service.user_data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(tag_));
    } else if (function_ || later_) {
      auto target = std::make_unique<Target>();
      target->function = function_;
      target->later = later_;
      service.call = called;
      service.cancel = later_ ? told : nullptr;
      service.flags = later_ || is_short_ ? RB_SERVICE_SHORT : 0;
      service.drop = dropped;
      service.user_data = target.release();
    }
    return service;
  }

  std::string name_;
  Encoding encoding_;
  Function function_;
  Later later_;
  bool is_short_ = false;
  rb_queue queue_ = 0;
  std::uint64_t tag_ = 0;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_SERVICE_HPP

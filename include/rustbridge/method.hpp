/* Part of rustbridge.hpp. Methods, prepared for one encoding. */
#ifndef RUSTBRIDGE_METHOD_HPP
#define RUSTBRIDGE_METHOD_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pending_call.hpp"

namespace rustbridge {

/// A method prepared for one encoding: a few numbers, to be kept and copied as you like, and good as long as its instance is.
class Method {
 public:
  Method() noexcept = default;

  Encoding encoding() const noexcept { return static_cast<Encoding>(method_.encoding); }
  /// Reports whether the author declared the method short, non-blocking and free of callbacks.
  bool is_leaf() const noexcept { return has(RB_METHOD_LEAF); }
  /// Its handler is asynchronous: `call` waits for it.
  bool is_async() const noexcept { return has(RB_METHOD_ASYNC); }
  /// It's a stream of items: `stream` begins it.
  bool is_stream_out() const noexcept { return has(RB_METHOD_STREAM_OUT); }
  bool is_stream_in() const noexcept { return has(RB_METHOD_STREAM_IN); }
  /// Objects may come with its answer.
  bool returns_objects() const noexcept { return has(RB_METHOD_OBJECTS); }
  /// Reports whether it's a method of an object, which must be the first borrowed object of the call.
  bool has_receiver() const noexcept { return has(RB_METHOD_RECEIVER); }
  /// Of pods, the sizes of the structs; else 0.
  std::uint64_t request_size() const noexcept { return method_.request_size; }
  std::uint64_t response_size() const noexcept { return method_.response_size; }
  /// The instance that it's called in.
  rb_instance instance() const noexcept { return instance_; }
  /// The entry for C functions.
  std::uint32_t entry() const noexcept { return method_.entry; }

  /// Finds a method in the wire format for a typed client, only if the client's types are equal to the plugin's or compatible; see
  /// `rb_prepare_typed`.
  static Method typed(rb_instance instance, std::string_view name, std::string_view fingerprint, std::string_view client_schema) {
    Method method;
    method.instance_ = instance;
    method.method_.size = sizeof method.method_;
    rb_response error{};
    detail::check(rb_prepare_typed(instance, detail::text_of(name), detail::text_of(fingerprint), detail::text_of(client_schema),
                                   &method.method_, &error),
                  error);
    return method;
  }

  /// The same for requests in memory that others may write to during the call: they are copied before the plugin sees them.
  Method shared() const noexcept { return with(RB_ENTRY_SHARED); }
  /// The same, refused with `failed_precondition` unless it's a leaf method.
  Method leaf() const noexcept { return with(RB_ENTRY_LEAF); }

  /// Calls it on this thread, with bytes only: a method that returns objects is refused.
  Response call(BytesView request) const {
    Response response;
    rb_response raw = detail::Access::storage(response);
    rb_status status = rb_call(instance_, method_.entry, request.data(), request.size(), &raw);
    detail::Access::put(response, raw);
    if (status != RB_OK) {
      throw Error::of(status, response.bytes());
    }
    return response;
  }

  /// Calls it with options. Headers, trailers and objects accompany the answer.
  Response call(BytesView request, const CallOptions& options) const {
    detail::PreparedContext carried(options);
    detail::CancelScope cancel(options.cancellation, true);
    Response response;
    rb_response raw = detail::Access::storage(response);
    rb_status status =
        rb_call_with(instance_, method_.entry, &carried.header, cancel.place(), request.data(), request.size(), &raw);
    detail::Access::put(response, raw);
    auto [trailers, objects] = detail::beside(instance_, carried.reply());
    if (status != RB_OK) {
      throw Error::of(status, response.bytes(), std::move(trailers), carried.headers());
    }
    detail::Access::put_beside(response, std::move(trailers), std::move(objects));
    if (carried.takes_headers()) {
      detail::Access::put_headers(response, carried.headers());
    }
    return response;
  }

  /// Calls it with text, and returns text.
  std::string call_json(std::string_view json) const { return call(json).to_string(); }
  std::string call_json(std::string_view json, const CallOptions& options) const { return call(json, options).to_string(); }

  /// Calls it with a buffer for the answer, and returns the part that the answer fills. Nothing is allocated. `ResponseTooLarge` has an answer
  /// that doesn't fit. The buffer mustn't overlap the request.
  std::span<std::byte> call_into(BytesView request, std::span<std::byte> storage) const {
    auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
    std::int64_t result = rb_call_into(instance_, method_.entry, request.data(), request.size(), to, storage.size());
    return storage.first(result < 0 ? otherwise(rb_call_result_of(result), storage) : static_cast<std::size_t>(result));
  }

  /// Submits it. The function receives every event, on any thread, one at a time; if the call completes at once, before this function returns.
  /// It mustn't block, and its exceptions are swallowed. For a stream, `items` and `bytes` are the initial credit. Throws an `Error` only if
  /// nothing was submitted.
  PendingCall begin(BytesView request, const CallOptions& options, std::function<void(Event&&)> tell, std::uint64_t items = 0,
                  std::uint64_t bytes = 0) const {
    if (!tell) {
      throw Error(Status::invalid_argument, "the function is empty");
    }
    auto begun = std::make_shared<detail::StartedCall>();
    begun->tell = std::move(tell);
    if (options.headers) {
      begun->tell = with_headers(std::move(begun->tell));
    }
    begun->instance = instance_;
    detail::PreparedContext carried(options);
    begun->cancel.emplace(options.cancellation, false);
    rb_submission submission = submission_of(request, options, carried, items, bytes);
    rb_callback callback{};
    callback.size = sizeof callback;
    callback.notify = detail::StartedCall::told;
    callback.user_data = begun.get();
    Response response;
    submission.response = detail::Access::storage(response);
    begun->self = begun;
    rb_status refused = rb_submit_callback(&callback, &submission, 1);
    if (refused == RB_OK && submission.status == RB_PENDING) {
      begun->cancel->begun(submission.op);
      return PendingCall(submission.op, begun);
    }
    begun->self.reset();
    if (refused != RB_OK) {
      throw Error::of(refused, {});
    }
    detail::Access::put(response, submission.response);
    Event event;
    event.result = detail::result_of(instance_, submission.status, std::move(response), carried);
    try {
      begun->tell(std::move(event));
    } catch (...) {
      // As if the event had arrived elsewhere.
    }
    return PendingCall();
  }

  /// Calls it without waiting. The function is called once with the result, on any thread, possibly this one. It mustn't block.
  PendingCall call_async(BytesView request, const CallOptions& options, std::function<void(Result)> done) const {
    refuse_streams();
    if (!done) {
      throw Error(Status::invalid_argument, "the function is empty");
    }
    return begin(request, options, [done = std::move(done)](Event&& event) {
      if (event.kind == Event::Kind::done) {
        done(std::move(*event.result));
      }
    });
  }

  /// Calls it without waiting. A future that is dropped lets the call go on; `CallOptions::cancellation` ends it.
  std::future<Response> call_async(BytesView request, const CallOptions& options = {}) const {
    auto promise = std::make_shared<std::promise<Response>>();
    std::future<Response> future = promise->get_future();
    call_async(request, options, [promise](Result result) {
      if (const Error* error = result.error()) {
        promise->set_exception(std::make_exception_ptr(*error));
      } else {
        promise->set_value(std::move(result.response()));
      }
    });
    return future;
  }

  /// Opens a stream of a method that returns or accepts items.
  Stream stream(BytesView request, const CallOptions& options = {}) const;

  /// Returns the submission for C, with the options' call context; see `Queue::begin`.
  rb_submission submission_of(BytesView request, const CallOptions& options, const detail::PreparedContext& carried, std::uint64_t items,
                              std::uint64_t bytes) const noexcept {
    rb_submission submission{};
    submission.size = sizeof submission;
    submission.instance = instance_;
    submission.entry = method_.entry;
    submission.flags = options.offload ? RB_SUBMIT_OFFLOAD : 0;
    submission.call_context = &carried.header;
    submission.request = request.data();
    submission.request_len = request.size();
    submission.demand_items = items;
    submission.demand_bytes = bytes;
    return submission;
  }

 private:
  friend class Plugin;
  friend class Object;

  Method(rb_instance instance, std::string_view name, Encoding encoding) : instance_(instance) {
    method_.size = sizeof method_;
    rb_response error{};
    detail::check(rb_prepare(instance, detail::text_of(name), static_cast<rb_encoding>(encoding), &method_, &error), error);
  }

  Method(rb_instance instance, std::uint32_t id, Encoding encoding) : instance_(instance) {
    method_.size = sizeof method_;
    rb_response error{};
    detail::check(rb_prepare_id(instance, id, static_cast<rb_encoding>(encoding), &method_, &error), error);
  }

  bool has(std::uint32_t flag) const noexcept { return (method_.flags & flag) != 0; }

  Method with(std::uint32_t bit) const noexcept {
    Method other = *this;
    other.method_.entry |= bit;
    return other;
  }

  /// Delivers the completion with its headers. Kept out of the way of calls that request none.
#if defined(__GNUC__)
  __attribute__((noinline, cold))
#endif
  static std::function<void(Event&&)> with_headers(std::function<void(Event&&)> tell) {
    return [tell = std::move(tell), headers = Metadata()](Event&& event) mutable {
      if (event.kind == Event::Kind::headers) {
        headers = event.headers();
      } else if (event.result) {
        detail::put_headers(*event.result, std::move(headers));
      }
      tell(std::move(event));
    };
  }

  void refuse_streams() const {
    if (is_stream_out() || is_stream_in()) {
      throw Error(Status::unimplemented, "the method is a streaming method: use `stream`", "rustbridge.StreamOnly");
    }
  }

  /// Handles a call into a buffer that failed or was answered elsewhere: returns the length after copying.
  static std::size_t otherwise(rb_call_result* outcome, std::span<std::byte> storage) {
    struct Release {
      rb_call_result* outcome;
      ~Release() { rb_call_result_release(outcome); }
    } release{outcome};
    rb_response& whole = outcome->response;
    if (outcome->status != RB_OK) {
      const void* at = whole.release == nullptr ? storage.data() : static_cast<const void*>(whole.data);
      throw Error::of(outcome->status, BytesView(at, whole.len));
    }
    if (whole.len <= storage.size()) {
      // The plugin allocated a response that would have fitted.
      detail::copy(storage.data(), whole.data, whole.len);
      return whole.len;
    }
    Response response;
    detail::Access::take(response, whole);
    throw ResponseTooLarge(std::move(response));
  }

  rb_instance instance_ = 0;
  rb_method method_{};
};

inline Method Object::prepare(std::string_view method, Encoding encoding) const { return Method(instance_, method, encoding); }

inline Response Object::call(std::string_view method, Encoding encoding, BytesView request, CallOptions options) const {
  options.objects.insert(options.objects.begin(), number_);
  return prepare(method, encoding).call(request, options);
}

inline Response Object::call(std::string_view method, Encoding encoding, BytesView request) const {
  return call(method, encoding, request, CallOptions());
}

inline std::string Object::call_json(std::string_view method, std::string_view json, CallOptions options) const {
  return call(method, Encoding::json, json, std::move(options)).to_string();
}

inline std::string Object::call_json(std::string_view method, std::string_view json) const {
  return call_json(method, json, CallOptions());
}

}  // namespace rustbridge

#endif  // RUSTBRIDGE_METHOD_HPP

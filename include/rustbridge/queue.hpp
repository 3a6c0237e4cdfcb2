/* Part of rustbridge.hpp. Where a host with a loop of its own fetches what is told of its calls. */
#ifndef RUSTBRIDGE_QUEUE_HPP
#define RUSTBRIDGE_QUEUE_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "method.hpp"

namespace rustbridge {

/// A completion queue: how a host with an event loop receives the events of its calls and services. One thread polls it at a time.
class Queue {
 public:
  /// A submitted call: it has completed if it has a result; otherwise events report it.
  struct StartedCall {
    PendingCall operation{};
    std::optional<Result> result{};
  };

  Queue() : calls_(std::make_unique<Calls>()) {
    rb_response error{};
    detail::check(rb_queue_new(&number_, &error), error);
  }
  Queue(Queue&& other) noexcept : number_(std::exchange(other.number_, 0)), calls_(std::move(other.calls_)) {}
  Queue& operator=(Queue&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, 0);
      calls_ = std::move(other.calls_);
    }
    return *this;
  }
  ~Queue() { close(); }

  rb_queue number() const noexcept { return number_; }

  /// Submits a call whose events arrive here, each with `user_data`. For a stream, `items` and `bytes` are the initial credit.
  StartedCall begin(const Method& method, BytesView request, const CallOptions& options = {}, std::uint64_t user_data = 0,
              std::uint64_t items = 0, std::uint64_t bytes = 0) {
    Calls& calls = *some();
    detail::PreparedContext carried(options);
    rb_submission submission = method.submission_of(request, options, carried, items, bytes);
    StartedCall begun;
    Response response;
    submission.response = detail::Access::storage(response);
    auto call = std::make_shared<Call>(method.instance(), user_data, options.cancellation);
    {
      std::lock_guard lock(calls.mutex);
      submission.user_data = ++calls.last;
      calls.pending.emplace(submission.user_data, call);
    }
    rb_status refused = rb_submit(number_, &submission, 1);
    if (refused == RB_OK && submission.status == RB_PENDING) {
      call->cancel.begun(submission.op);
      begun.operation = PendingCall(submission.op);
      return begun;
    }
    {
      std::lock_guard lock(calls.mutex);
      calls.pending.erase(submission.user_data);
    }
    if (refused != RB_OK) {
      throw Error::of(refused, {});
    }
    detail::Access::put(response, submission.response);
    begun.result = detail::result_of(method.instance(), submission.status, std::move(response), carried);
    return begun;
  }

  /// Fetches up to so many events, waiting for the first one as long as that. None in time is no failure. `aborted`: another thread is
  /// fetching.
  template <class Rep, class Period>
  std::vector<Event> next(std::chrono::duration<Rep, Period> timeout, std::size_t most = 16) {
    Calls& calls = *some();
    std::vector<rb_event> raw(std::clamp<std::size_t>(most, 1, 1024));
    raw[0].size = sizeof raw[0];
    std::size_t count = 0;
    rb_response error{};
    detail::check(
        rb_queue_poll(number_, raw.data(), raw.size(), nullptr, 0, detail::milliseconds_of(timeout), &count, &error), error);
    std::vector<Event> events;
    events.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
      rb_event& event = raw[at];
      bool of_service = event.kind == RB_EVENT_SERVICE || event.kind == RB_EVENT_SERVICE_CANCEL;
      Metadata headers;
      rb_instance instance = of_service ? event.instance : calls.known(event, headers);
      events.emplace_back(event, instance, of_service ? PendingCall() : PendingCall(event.op));
      if (!headers.empty()) {
        detail::put_headers(*events.back().result, std::move(headers));
      }
    }
    return events;
  }

  /// The wakeup for a loop to watch: readable, or on Windows the handle of a set event, when an event arrives after `next` has found the queue empty.
  std::ptrdiff_t descriptor() const {
    std::ptrdiff_t descriptor = -1;
    rb_response error{};
    detail::check(rb_queue_fd(number_, &descriptor, &error), error);
    return descriptor;
  }

  /// Has the thread that waits in `next`, or the next one that would, return once.
  void wake() const {
    rb_response error{};
    detail::check(rb_queue_wake(number_, &error), error);
  }

  /// Abandons its pending calls, and ends present and future calls of its services.
  void close() noexcept {
    if (rb_queue number = std::exchange(number_, 0); number != 0) {
      rb_queue_close(number, nullptr);
    }
  }

 private:
  struct Call {
    rb_instance instance;
    std::uint64_t user_data;
    detail::CancelScope cancel;
    /// The headers that arrived before its completion.
    Metadata headers{};

    Call(rb_instance of, std::uint64_t data, const std::optional<Cancellation>& cancellation)
        : instance(of), user_data(data), cancel(cancellation, false) {}
  };

  /// The submitted calls, by the number in their events. Abandoned ones stay here until the queue is destroyed.
  struct Calls {
    std::mutex mutex;
    std::uint64_t last = 0;
    std::unordered_map<std::uint64_t, std::shared_ptr<Call>> pending;

    /// Returns the instance of an event's call, and puts its own `user_data` in place of the number. For a completion, also the headers before it.
    rb_instance known(rb_event& event, Metadata& headers) {
      std::lock_guard lock(mutex);
      auto found = pending.find(event.user_data);
      if (found == pending.end()) {
        return 0;
      }
      rb_instance instance = found->second->instance;
      event.user_data = found->second->user_data;
      if (event.kind == RB_EVENT_HEADERS) {
        found->second->headers = Metadata::of_encoded(BytesView(event.response.data, event.response.len));
      } else if (event.kind == RB_EVENT_DONE) {
        headers = std::move(found->second->headers);
        pending.erase(found);
      }
      return instance;
    }
  };

  const std::unique_ptr<Calls>& some() const {
    if (number_ == 0 || !calls_) {
      throw Error(Status::invalid_argument, "the queue is closed, or was moved elsewhere");
    }
    return calls_;
  }

  rb_queue number_ = 0;
  std::unique_ptr<Calls> calls_;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_QUEUE_HPP

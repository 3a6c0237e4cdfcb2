/* Part of rustbridge.hpp. What a call carries beside its request, and what ends it early. */
#ifndef RUSTBRIDGE_OPTIONS_HPP
#define RUSTBRIDGE_OPTIONS_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "response.hpp"

namespace rustbridge {

namespace detail {
struct CancelScope;
}

/// Ends calls early: those that carry it in their options, all at once, from any thread. Copies are the same one. Once it was
/// used, calls that carry it don't begin.
class Cancellation {
 public:
  Cancellation() : state_(std::make_shared<State>()) {}

  /// Requests the cancellation of the calls. Each still completes, with `cancelled` or with its result if that came first.
  void cancel() noexcept {
    std::vector<std::weak_ptr<Slot>> slots;
    {
      std::lock_guard lock(state_->mutex);
      state_->cancelled = true;
      slots.swap(state_->slots);
    }
    for (const auto& weak : slots) {
      if (auto slot = weak.lock()) {
        slot->cancel();
      }
    }
  }

  bool cancelled() const noexcept {
    std::lock_guard lock(state_->mutex);
    return state_->cancelled;
  }

 private:
  friend struct detail::CancelScope;

  /// A call to cancel: `operation` is its ID, 0 before it has one.
  struct Slot {
    std::atomic<rb_op> operation{0};
    std::atomic<bool> wanted{false};
    std::atomic<bool> over{false};
    /// For a call that its thread waits in: the library writes the ID before the plugin runs, without a notification.
    const bool blocking;

    explicit Slot(bool waits) noexcept : blocking(waits) {}

    void cancel() noexcept {
      wanted = true;
      // Nothing but the library's own way into the call runs meanwhile.
      while (blocking && operation == 0 && !over) {
        std::this_thread::yield();
      }
      end();
    }

    void end() noexcept {
      if (rb_op number = operation; number != 0) {
        rb_op_cancel(number, nullptr);
      }
    }
  };

  struct State {
    std::mutex mutex;
    bool cancelled = false;
    std::vector<std::weak_ptr<Slot>> slots;
  };

  std::shared_ptr<Slot> slot(bool blocking) const {
    auto slot = std::make_shared<Slot>(blocking);
    std::lock_guard lock(state_->mutex);
    if (state_->cancelled) {
      throw Error(Status::cancelled, "the call was cancelled before it began");
    }
    if (state_->slots.size() == state_->slots.capacity()) {
      std::erase_if(state_->slots, [](const auto& weak) { return weak.expired(); });
    }
    state_->slots.push_back(slot);
    return slot;
  }

  std::shared_ptr<State> state_;
};

namespace detail {

/// Registers a call with its cancellation, as long as this exists.
struct CancelScope {
  CancelScope(const std::optional<Cancellation>& cancellation, bool blocking)
      : slot_(cancellation ? cancellation->slot(blocking) : nullptr) {}
  CancelScope(const CancelScope&) = delete;
  ~CancelScope() {
    if (slot_) {
      slot_->over = true;
    }
  }

  /// Where the library writes the number, by an atomic store.
  rb_op* place() noexcept {
    static_assert(sizeof(std::atomic<rb_op>) == sizeof(rb_op) && std::atomic<rb_op>::is_always_lock_free);
    return slot_ ? reinterpret_cast<rb_op*>(&slot_->operation) : nullptr;
  }

  /// Sets the ID of a submitted call.
  void begun(rb_op number) noexcept {
    if (slot_) {
      slot_->operation = number;
      if (slot_->wanted) {
        slot_->end();
      }
    }
  }

 private:
  std::shared_ptr<Cancellation::Slot> slot_;
};

}  // namespace detail

/// The call context, and how the call is made.
struct CallOptions {
  /// The time from the start of the call to its deadline, after which it fails with `deadline_exceeded`.
  std::optional<std::chrono::nanoseconds> timeout{};
  /// The deadline; together with a timeout, the earlier one applies.
  std::optional<std::chrono::steady_clock::time_point> deadline{};
  Metadata metadata{};
  /// The trace that the call is part of.
  std::optional<Trace> trace{};
  /// Cancels the call.
  std::optional<Cancellation> cancellation{};
  /// The objects that the call borrows, by `Object::number`; the receiver of an object's method is the first.
  std::vector<rb_object> objects{};
  /// Whether no code of a method that isn't leaf runs on this thread, not even the part of an asynchronous handler before its first wait. For
  /// asynchronous calls.
  bool offload = false;
  /// How many items of a stream may be on their way; more are asked for when half of them were taken.
  std::uint64_t window_items = 256;
  /// How many bytes of them; the last item may go beyond.
  std::uint64_t window_bytes = 256 * 1024;
  /// Whether to receive the plugin's headers: with the answer or the error, and before a stream's first item (`Stream::headers`, or an event).
  /// Otherwise they are discarded.
  bool headers = false;
  /// A number of the host's choice for the call, 0 for none. Services that the plugin calls for it see it in `ServiceCall::number`, so that they
  /// can find data of the call. Calls that a service makes don't inherit it: pass `ServiceCall::number` on for that.
  std::uint64_t number = 0;
};

namespace detail {

/// The options in C's form, which mustn't move meanwhile.
struct PreparedContext {
  rb_call_context header{};

  explicit PreparedContext(const CallOptions& options) {
    header.size = sizeof header;
    header.op = options.number;
    whole_.reply = {};
    header.reply = &whole_.reply;
    if (options.headers) {
      header.flags |= RB_CONTEXT_HEADERS;
      whole_.headers = {};
    }
    if (options.timeout || options.deadline) {
      auto left = options.timeout.value_or((std::chrono::nanoseconds::max)());
      if (options.deadline) {
        left = (std::min)(left, std::chrono::ceil<std::chrono::nanoseconds>(*options.deadline - std::chrono::steady_clock::now()));
      }
      if (left != (std::chrono::nanoseconds::max)()) {
        header.flags |= RB_CONTEXT_TIMEOUT;
        header.timeout_ns = left.count() > 0 ? static_cast<std::uint64_t>(left.count()) : 0;
      }
    }
    if (options.trace) {
      header.flags |= RB_CONTEXT_TRACE;
      copy(header.trace_id, options.trace->trace_id.data(), sizeof header.trace_id);
      copy(header.span_id, options.trace->span_id.data(), sizeof header.span_id);
      header.trace_flags = options.trace->flags;
      header.trace_state = text_of(options.trace->state);
    }
    if (!options.metadata.empty()) {
      header.metadata = options.metadata.encoded().data();
      header.metadata_len = options.metadata.encoded().size();
    }
    header.objects = options.objects.data();
    header.object_count = static_cast<std::uint32_t>(options.objects.size());
  }
  PreparedContext(const PreparedContext&) = delete;

  ~PreparedContext() {
    rb_response_release(&whole_.reply.trailers);
    rb_response_release(&whole_.reply.objects);
    if (takes_headers()) {
      rb_response_release(&whole_.headers);
    }
  }

  /// Trailers and objects of the answer.
  rb_reply& reply() noexcept { return whole_.reply; }

  /// The headers of a call that completed at once.
  Metadata headers() const {
    return takes_headers() ? Metadata::of_encoded(BytesView(whole_.headers.data, whole_.headers.len)) : Metadata();
  }

  bool takes_headers() const noexcept { return (header.flags & RB_CONTEXT_HEADERS) != 0; }

 private:
  // The second part is initialised only for calls that request headers.
  rb_reply_headers whole_;
};

/// Returns the result with its headers, if there are any. Kept out of the way of calls that request none.
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
inline void put_headers(Result& result, Metadata headers) {
  if (headers.empty()) {
    return;
  }
  if (const Error* error = result.error()) {
    result = Result(Access::with_headers(*error, std::move(headers)));
  } else {
    Access::put_headers(result.response(), std::move(headers));
  }
}

/// Converts the result of a call that C reports as completed.
inline Result result_of(rb_instance instance, rb_status status, Response response, rb_reply& reply) {
  auto [trailers, objects] = beside(instance, reply);
  if (status != RB_OK) {
    return Result(Error::of(status, response.bytes(), std::move(trailers)));
  }
  Access::put_beside(response, std::move(trailers), std::move(objects));
  return Result(std::move(response));
}

/// How one has ended that was over at once.
inline Result result_of(rb_instance instance, rb_status status, Response&& response, PreparedContext& carried) {
  if (!carried.takes_headers()) {
    return result_of(instance, status, std::move(response), carried.reply());
  }
  Result result = result_of(instance, status, std::move(response), carried.reply());
  put_headers(result, carried.headers());
  return result;
}

}  // namespace detail

}  // namespace rustbridge

#endif  // RUSTBRIDGE_OPTIONS_HPP

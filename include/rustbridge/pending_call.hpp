/* Part of rustbridge.hpp. Calls that were begun, and what is told of them. */
#ifndef RUSTBRIDGE_OPERATION_HPP
#define RUSTBRIDGE_OPERATION_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "options.hpp"

namespace rustbridge {

/// Items of a stream that came together, with the memory that they are in.
class Batch {
 public:
  Batch() noexcept = default;

  /// How many there are.
  std::size_t size() const noexcept { return ends_.empty() ? count_ : ends_.size(); }
  bool empty() const noexcept { return size() == 0; }
  /// One of them, good as long as this. `Error` with `out_of_range`: there are fewer.
  std::span<const std::byte> operator[](std::size_t index) const {
    if (index >= size()) {
      throw Error(Status::out_of_range, "the index is out of range: the batch has " + std::to_string(size()) + " items");
    }
    if (ends_.empty()) {
      std::size_t stride = memory_.size() / count_;
      return memory_.bytes().subspan(index * stride, stride);
    }
    std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return memory_.bytes().subspan(begin, ends_[index] - begin);
  }
  /// All of them as structs.
  template <class Pod>
  std::vector<Pod> as() const {
    std::vector<Pod> pods;
    pods.reserve(size());
    for (std::size_t index = 0; index < size(); ++index) {
      std::span<const std::byte> item = (*this)[index];
      pods.push_back(detail::pod_of<Pod>(item.data(), item.size()));
    }
    return pods;
  }
  /// The bytes of all items, which a stream's window counts.
  std::size_t total_bytes() const noexcept { return ends_.empty() ? memory_.size() : ends_.back(); }
  /// The objects of all, each item's behind those of the one before; each has as many as any other.
  std::vector<Object>& objects() noexcept { return objects_; }

 private:
  friend struct Event;

  Response memory_;
  std::size_t count_ = 0;
  /// Where each ends, of items of several lengths.
  std::vector<std::uint32_t> ends_;
  std::vector<Object> objects_;
};

struct Event;

namespace detail {

/// A submitted call, until its completion has been delivered.
struct StartedCall {
  std::function<void(Event&&)> tell;
  rb_instance instance = 0;
  std::optional<CancelScope> cancel;
  std::atomic<bool> detached{false};
  /// Keeps this as long as the library knows of it.
  std::shared_ptr<StartedCall> self;

  static void told(void* user_data, rb_event* event) noexcept;
};

}  // namespace detail

/// An asynchronous call: an ID by which it can be cancelled and its streams controlled. Functions that come too late return a status and do no
/// harm.
class PendingCall {
 public:
  PendingCall() noexcept = default;
  explicit PendingCall(rb_op number) noexcept : number_(number) {}

  /// 0: there is none, or it completed at once.
  rb_op number() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ != 0; }

  /// Requests cancellation. The call still completes, with `cancelled` or with its result if that came first.
  Status cancel() const noexcept { return detail::known(rb_op_cancel(number_, nullptr)); }

  /// Abandons it: it's cancelled, and there are no further events.
  Status detach() const noexcept {
    if (auto begun = begun_.lock()) {
      // Its function is kept until the library has delivered the completion, but isn't called any more.
      begun->detached = true;
      return cancel();
    }
    return detail::known(rb_op_detach(number_, nullptr));
  }

  /// Takes so many items of its stream more, and so many bytes.
  Status demand(std::uint64_t items, std::uint64_t bytes) const noexcept {
    return detail::known(rb_op_demand(number_, items, bytes, nullptr));
  }

  /// Sends items into it. `resource_exhausted`: its credit is too small, and nothing was sent; an event reports when it grows.
  Status write(std::span<const BytesView> items) const {
    std::vector<std::uint8_t> data;
    std::vector<std::uint32_t> ends;
    ends.reserve(items.size());
    for (BytesView item : items) {
      data.insert(data.end(), item.data(), item.data() + item.size());
      if (data.size() > UINT32_MAX) {
        return Status::invalid_argument;
      }
      ends.push_back(static_cast<std::uint32_t>(data.size()));
    }
    const auto* tail = reinterpret_cast<const std::uint8_t*>(ends.data());
    data.insert(data.end(), tail, tail + ends.size() * sizeof ends[0]);
    return write(data, ends.size(), RB_BATCH_ENDS);
  }

  /// Sends structs into it; otherwise as `write` of items.
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  Status write_pods(std::span<const Pod> pods) const {
    return write(BytesView(pods.data(), pods.size_bytes()), pods.size(), 0);
  }

  /// Ends the input stream: it's complete.
  Status finish() const noexcept { return detail::known(rb_op_end(number_, RB_OK, nullptr, 0, nullptr)); }

  /// Ends the input stream with an error.
  Status fail(const Error& error) const {
    std::string payload = error.told();
    BytesView bytes(payload);
    return detail::known(rb_op_end(number_, static_cast<rb_status>(error.status()), bytes.data(), bytes.size(), nullptr));
  }

 private:
  friend class Method;
  friend struct detail::StartedCall;

  PendingCall(rb_op number, std::weak_ptr<detail::StartedCall> begun) noexcept : number_(number), begun_(std::move(begun)) {}

  Status write(BytesView data, std::size_t count, std::uint32_t flags) const noexcept {
    if (count > UINT32_MAX) {
      return Status::invalid_argument;
    }
    rb_batch batch{};
    batch.size = sizeof batch;
    batch.flags = flags;
    batch.data = data.data();
    batch.len = data.size();
    batch.count = static_cast<std::uint32_t>(count);
    return detail::known(rb_op_write(number_, &batch, nullptr));
  }

  rb_op number_ = 0;
  std::weak_ptr<detail::StartedCall> begun_;
};

/// The context of a service call. The views are valid until the service's function returns, or as long as the event.
struct ServiceCall {
  /// The instance that calls.
  rb_instance instance = 0;
  /// How much time there was when it came.
  std::optional<std::chrono::nanoseconds> time_left{};
  std::optional<Trace> trace{};
  /// The metadata of the call that the plugin works for, if the plugin passes it on, as those in Rust do.
  Metadata metadata{};
  BytesView request{};
  /// `CallOptions::number` of the call that the plugin works for; 0 if it has none, or has ended.
  std::uint64_t number = 0;

  ServiceCall() = default;
  ServiceCall(rb_instance of, const rb_call_context* header, BytesView with) : instance(of), request(with) {
    if (header == nullptr) {
      return;
    }
    if ((header->flags & RB_CONTEXT_TIMEOUT) != 0) {
      time_left = std::chrono::nanoseconds(std::min<std::uint64_t>(header->timeout_ns, INT64_MAX));
    }
    if ((header->flags & RB_CONTEXT_TRACE) != 0) {
      trace.emplace();
      detail::copy(trace->trace_id.data(), header->trace_id, sizeof header->trace_id);
      detail::copy(trace->span_id.data(), header->span_id, sizeof header->span_id);
      trace->flags = header->trace_flags;
      trace->state = detail::view_of(header->trace_state);
    }
    metadata = Metadata::of_encoded(BytesView(header->metadata, header->metadata_len));
    number = header->op;
    cancelled_ = header->cancelled;
  }

  /// Whether the caller doesn't wait for the answer any more. Only as long as the function runs, and not of a queue's event, which has an event of its own for that.
  bool cancelled() const noexcept {
    return cancelled_ != nullptr && std::atomic_ref<std::uint32_t>(*const_cast<std::uint32_t*>(cancelled_)).load(std::memory_order_relaxed) != 0;
  }

  /// The call that the function on this thread answers, for functions that don't get it as an argument; null outside of one. It's good until
  /// the function returns.
  static const ServiceCall* current() noexcept { return current_; }

 private:
  friend class Service;

  const std::uint32_t* cancelled_ = nullptr;
  inline static thread_local const ServiceCall* current_ = nullptr;
};

/// Answers a call of a service later, once, from any thread. One that is dropped unanswered answers with an error.
class ServiceReply {
 public:
  ServiceReply() noexcept = default;
  /// For the number of an event, or of `rb_service_defer`.
  explicit ServiceReply(std::uint64_t number) : state_(std::make_shared<State>(number)) {}
  ServiceReply(ServiceReply&&) noexcept = default;
  ServiceReply& operator=(ServiceReply&& other) noexcept {
    if (this != &other) {
      drop();
      state_ = std::move(other.state_);
    }
    return *this;
  }
  ~ServiceReply() { drop(); }

  /// Answers. `failed_precondition`: the call was answered before, or its answer is no longer needed.
  Status reply(BytesView answer) const noexcept { return give(RB_OK, answer); }
  /// Answers with an error.
  Status fail(const Error& error) const { return give(static_cast<rb_status>(error.status()), error.told()); }
  /// Reports whether the answer is no longer needed.
  bool cancelled() const noexcept { return state_ && state_->cancelled; }

 private:
  friend class Service;

  struct State {
    const std::uint64_t number;
    std::atomic<bool> answered{false};
    std::atomic<bool> cancelled{false};
    /// The thread that runs the service's function; an exception of the function is then the answer.
    std::atomic<std::thread::id> inside{};

    explicit State(std::uint64_t of) noexcept : number(of) {}
  };

  Status give(rb_status status, BytesView payload) const noexcept {
    if (!state_ || state_->answered.exchange(true)) {
      return Status::failed_precondition;
    }
    return detail::known(rb_service_reply(state_->number, status, payload.data(), payload.size(), nullptr));
  }

  void drop() noexcept {
    if (state_ && !state_->answered && (state_->inside.load() != std::this_thread::get_id() || std::uncaught_exceptions() == 0)) {
      give(RB_INTERNAL, R"({"code":"INTERNAL","message":"the service's reply was dropped without an answer","type":""})");
    }
    state_.reset();
  }

  std::shared_ptr<State> state_;
};

/// An event of an asynchronous call, or of a service with a queue.
struct Event {
  enum class Kind : std::uint32_t {
    /// The call has completed with `result`; this is its last event.
    done = RB_EVENT_DONE,
    /// Items of its stream have come.
    items = RB_EVENT_ITEMS,
    /// It accepts more items.
    demand = RB_EVENT_DEMAND,
    /// A plugin calls a service.
    service = RB_EVENT_SERVICE,
    /// The answer of a service call is no longer needed.
    service_cancel = RB_EVENT_SERVICE_CANCEL,
    /// The call's headers have arrived, if it requested them and there are any: right before the first items or the completion.
    headers = RB_EVENT_HEADERS,
  };

  Kind kind = Kind::done;
  /// The call. Of a service it's none.
  PendingCall operation{};
  /// `user_data` of the submission, or the service's `tag`.
  std::uint64_t user_data = 0;
  /// Of `done`.
  std::optional<Result> result{};
  /// Of `items`.
  Batch items{};
  /// Of `demand`: how many items may be sent in all from now on, and how many bytes; the last item may go beyond them.
  std::uint64_t allowed_items = 0;
  std::uint64_t allowed_bytes = 0;
  /// Of `service` and `service_cancel`: the number that the call is known by.
  std::uint64_t service_number = 0;
  /// For `service`: its context, with `request` in memory of this event.
  ServiceCall service_call{};
  /// For `service`: answers it.
  ServiceReply reply{};

  /// For `headers`: the headers. The result of `done` has them as well.
  Metadata headers() const { return kind == Kind::headers ? Metadata::of_encoded(items.memory_.bytes()) : Metadata(); }

  Event() = default;

  /// Converts an event of C: borrowed data is copied, or taken over.
  Event(rb_event& event, rb_instance instance, PendingCall of)
      : kind(static_cast<Kind>(event.kind)), operation(std::move(of)), user_data(event.user_data) {
    Response memory;
    switch (event.kind) {
      case RB_EVENT_DONE:
        detail::Access::take(memory, event.response);
        result = detail::result_of(instance, event.status, std::move(memory), event.reply);
        break;
      case RB_EVENT_ITEMS: take_items(event, instance); break;
      case RB_EVENT_HEADERS: detail::Access::take(items.memory_, event.response); break;
      case RB_EVENT_DEMAND:
        allowed_items = event.items;
        allowed_bytes = event.bytes;
        break;
      case RB_EVENT_SERVICE:
        reply = ServiceReply(event.op);
        service_call = ServiceCall(event.instance, event.call_context, {});
        detail::Access::take(items.memory_, event.response);
        service_call.request = items.memory_.bytes();
        [[fallthrough]];
      default: service_number = event.op;
    }
  }
  Event(Event&& other) noexcept { *this = std::move(other); }
  Event& operator=(Event&& other) noexcept {
    kind = other.kind;
    operation = std::move(other.operation);
    user_data = other.user_data;
    result = std::move(other.result);
    items = std::move(other.items);
    allowed_items = other.allowed_items;
    allowed_bytes = other.allowed_bytes;
    service_number = other.service_number;
    service_call = std::move(other.service_call);
    reply = std::move(other.reply);
    if (kind == Kind::service) {
      service_call.request = items.memory_.bytes();
    }
    return *this;
  }

 private:
  void take_items(rb_event& event, rb_instance instance) {
    items.objects_ = detail::objects_of(instance, event.reply.objects);
    rb_response_release(&event.reply.objects);
    detail::Access::take(items.memory_, event.response);
    items.count_ = event.count;
    if ((event.flags & RB_BATCH_ENDS) == 0) {
      return;
    }
    std::size_t tail = items.count_ * sizeof(std::uint32_t);
    items.ends_.resize((std::min)(items.count_, items.memory_.size() / sizeof(std::uint32_t)));
    if (items.ends_.size() == items.count_) {
      detail::copy(items.ends_.data(), items.memory_.data() + (items.memory_.size() - tail), tail);
    }
    // The library has checked them; this is for later readers.
    std::uint32_t before = 0;
    for (std::uint32_t& end : items.ends_) {
      end = std::clamp(end, before, static_cast<std::uint32_t>(items.memory_.size()));
      before = end;
    }
  }
};

inline void detail::StartedCall::told(void* user_data, rb_event* event) noexcept {
  auto* begun = static_cast<StartedCall*>(user_data);
  std::shared_ptr<StartedCall> kept = begun->self;
  if (event->kind == RB_EVENT_DONE) {
    begun->self.reset();
  }
  try {
    Event taken(*event, begun->instance, PendingCall(event->op, kept));
    if (!begun->detached) {
      begun->tell(std::move(taken));
    }
  } catch (...) {
    // Exceptions of a host's function are handled there.
  }
}

}  // namespace rustbridge

#endif  // RUSTBRIDGE_OPERATION_HPP

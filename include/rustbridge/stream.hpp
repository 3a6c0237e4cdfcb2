/* Part of rustbridge.hpp. Calls with items. */
#ifndef RUSTBRIDGE_STREAM_HPP
#define RUSTBRIDGE_STREAM_HPP

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "method.hpp"

namespace rustbridge {

/// One item of a stream, with its share of the memory that holds it.
class StreamItem {
 public:
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::string_view text() const noexcept { return BytesView(bytes_).text(); }
  template <class Pod>
  Pod as() const {
    return detail::pod_of<Pod>(bytes_.data(), bytes_.size());
  }
  /// Returns the objects of the item, on the first call.
  std::vector<Object> take_objects() const {
    std::vector<Object> mine;
    std::vector<Object>& all = batch_->objects();
    std::size_t each = all.size() / batch_->size();
    for (std::size_t at = 0; at < each; ++at) {
      mine.push_back(std::move(all[index_ * each + at]));
    }
    return mine;
  }

 private:
  friend class Stream;

  StreamItem(std::shared_ptr<Batch> batch, std::size_t index)
      : batch_(std::move(batch)), index_(index), bytes_((*batch_)[index]) {}

  std::shared_ptr<Batch> batch_;
  std::size_t index_;
  std::span<const std::byte> bytes_;
};

/// A call with items: out of the plugin (a single-pass range), into it, or both ways. Destroying one that hasn't ended cancels it.
///
/// One thread may receive items while another sends. If one thread does both, sending may wait for the plugin, which waits until items are
/// received: so receive regularly.
class Stream {
 public:
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&& other) noexcept {
    if (this != &other) {
      give_up();
      state_ = std::move(other.state_);
      batch_ = std::move(other.batch_);
      index_ = other.index_;
    }
    return *this;
  }
  ~Stream() { give_up(); }

  /// Waits for the first item or the end, and returns the plugin's headers, which may be empty. Errors of the call are thrown by `next`, not here.
  /// `Error` with `failed_precondition`: the options didn't request headers by `CallOptions::headers`.
  Metadata headers() {
    State& state = *some();
    std::unique_lock lock(state.mutex);
    if (!state.takes_headers) {
      throw Error(Status::failed_precondition, "the headers weren't kept: request them by `CallOptions::headers`");
    }
    state.changed.wait(lock, [&] { return state.has_come || state.end; });
    return state.headers;
  }

  /// Waits for the next item. None: the stream is complete. If the plugin ended the stream with an error, throws it after the last item.
  std::optional<StreamItem> next() {
    while (!batch_ || index_ >= batch_->size()) {
      std::optional<Batch> batch = next_batch();
      if (!batch) {
        return std::nullopt;
      }
      batch_ = std::make_shared<Batch>(std::move(*batch));
      index_ = 0;
    }
    return StreamItem(batch_, index_++);
  }

  /// Waits for the next items that arrived together, which is fastest; otherwise like `next`. Don't mix the two: `next` first finishes its own batch.
  std::optional<Batch> next_batch() {
    State& state = *some();
    std::unique_lock lock(state.mutex);
    state.changed.wait(lock, [&] { return !state.batches.empty() || state.end; });
    if (state.batches.empty()) {
      if (const Error* failed = state.end->error()) {
        throw *failed;
      }
      return std::nullopt;
    }
    Batch batch = std::move(state.batches.front());
    state.batches.pop_front();
    state.taken_items += batch.size();
    state.taken_bytes += batch.total_bytes();
    if (!state.end && (state.taken_items >= state.window_items / 2 || state.taken_bytes >= state.window_bytes / 2)) {
      std::uint64_t items = std::exchange(state.taken_items, 0);
      std::uint64_t bytes = std::exchange(state.taken_bytes, 0);
      // If the plugin's stream is an iterator, it runs inside this call and delivers its items.
      lock.unlock();
      state.operation.demand(items, bytes);
    }
    return batch;
  }

  /// Sends an item as soon as the plugin accepts one. False: the plugin accepts no more items, and the end of the stream has the reason.
  bool send(BytesView item) {
    return send_some(1, item.size(), [&](const PendingCall& to, std::size_t, std::size_t) { return to.write({&item, 1}); });
  }

  /// Sends structs, each as soon as the plugin accepts it. Returns false as `send` does.
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  bool send_pods(std::span<const Pod> pods) {
    return send_some(pods.size(), sizeof(Pod), [&](const PendingCall& to, std::size_t from, std::size_t count) {
      return to.write_pods(pods.subspan(from, count));
    });
  }
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  bool send_pod(const Pod& pod) {
    return send_pods(std::span<const Pod>(&pod, 1));
  }

  /// Ends the input: all items were sent. If the stream is destroyed without it, the call is cancelled.
  void finish() { some()->operation.finish(); }
  /// Ends the input with an error: the remaining items can't be sent.
  void fail(const Error& error) { some()->operation.fail(error); }

  /// Waits for the end of the stream, discards the items that are left, and returns the response. If the plugin ended the stream with an
  /// error, throws it. `Error` with `failed_precondition`: the response was returned before.
  Response response() {
    while (next_batch()) {
    }
    State& state = *some();
    std::lock_guard lock(state.mutex);
    if (std::exchange(state.answered, true)) {
      throw Error(Status::failed_precondition, "the response was already returned");
    }
    return std::move(state.end->response());
  }

  /// Requests cancellation. The call still completes, with `cancelled` or with its result if that came first.
  void cancel() noexcept {
    if (state_) {
      state_->operation.cancel();
    }
  }

  /// A single-pass iterator over the items. An increment waits for the next item, and throws as `next` does.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = StreamItem;

    Iterator() noexcept = default;
    explicit Iterator(Stream& stream) : stream_(&stream), item_(stream.next()) {}
    const StreamItem& operator*() const { return *item_; }
    const StreamItem* operator->() const { return &*item_; }
    Iterator& operator++() {
      item_ = stream_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) noexcept { return !at.item_; }

   private:
    Stream* stream_ = nullptr;
    std::optional<StreamItem> item_;
  };

  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend class Method;

  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Batch> batches;
    std::optional<Result> end;
    bool answered = false;
    /// Items that were received and not yet added to the credit again.
    std::uint64_t taken_items = 0;
    std::uint64_t taken_bytes = 0;
    std::uint64_t window_items = 0;
    std::uint64_t window_bytes = 0;
    /// The credit for sending, and how often the plugin has increased it.
    std::uint64_t allowed_items = 0;
    std::uint64_t allowed_bytes = 0;
    std::uint64_t demands = 0;
    /// The headers, and whether they or an item have arrived.
    Metadata headers;
    bool has_come = false;
    bool takes_headers = false;
    PendingCall operation;

    void told(Event&& event) {
      std::lock_guard lock(mutex);
      if (event.kind == Event::Kind::done) {
        end = std::move(event.result);
        if (takes_headers && !has_come) {
          headers = end->headers();
        }
      } else if (event.kind == Event::Kind::items) {
        has_come = true;
        batches.push_back(std::move(event.items));
      } else if (event.kind == Event::Kind::headers) {
        has_come = true;
        headers = event.headers();
      } else if (event.kind == Event::Kind::demand) {
        allowed_items = event.allowed_items;
        allowed_bytes = event.allowed_bytes;
        ++demands;
      }
      changed.notify_all();
    }
  };

  Stream(const Method& method, BytesView request, const CallOptions& options) : state_(std::make_shared<State>()) {
    if (!method.is_stream_out() && !method.is_stream_in()) {
      throw Error(Status::unimplemented, "the method returns one response: use `call`", "rustbridge.NoStream");
    }
    state_->window_items = std::max<std::uint64_t>(options.window_items, 1);
    state_->window_bytes = std::max<std::uint64_t>(options.window_bytes, 1);
    state_->takes_headers = options.headers;
    auto tell = [state = state_](Event&& event) { state->told(std::move(event)); };
    state_->operation = method.begin(request, options, std::move(tell), method.is_stream_out() ? state_->window_items : 0,
                                     method.is_stream_out() ? state_->window_bytes : 0);
  }

  const std::shared_ptr<State>& some() const {
    if (!state_) {
      throw Error(Status::failed_precondition, "the stream was moved elsewhere");
    }
    return state_;
  }

  void give_up() noexcept {
    if (state_) {
      bool ended = false;
      {
        std::lock_guard lock(state_->mutex);
        ended = state_->end.has_value();
      }
      if (!ended) {
        state_->operation.detach();
      }
      state_.reset();
    }
  }

  /// Sends that many items of that many bytes each, with as many writes as necessary.
  template <class Write>
  bool send_some(std::size_t count, std::size_t bytes, Write&& write) {
    State& state = *some();
    for (std::size_t sent = 0; sent < count;) {
      std::unique_lock lock(state.mutex);
      state.changed.wait(lock, [&] { return state.end || (state.allowed_items > 0 && state.allowed_bytes > 0); });
      if (state.end) {
        return false;
      }
      std::uint64_t fit = bytes == 0 ? state.allowed_items : (std::min)(state.allowed_items, (state.allowed_bytes - 1) / bytes + 1);
      auto now = static_cast<std::size_t>(std::min<std::uint64_t>(fit, count - sent));
      // Subtracted before sending: an increase that arrives meanwhile contains the whole credit, and stays unchanged.
      state.allowed_items -= now;
      state.allowed_bytes -= std::min<std::uint64_t>(state.allowed_bytes, now * bytes);
      std::uint64_t seen = state.demands;
      lock.unlock();
      Status status = write(state.operation, sent, now);
      if (status == Status::ok) {
        sent += now;
      } else if (status == Status::resource_exhausted) {
        lock.lock();
        if (state.demands == seen) {
          state.allowed_items = 0;
        }
      } else if (status == Status::invalid_argument) {
        throw Error(status, "the items were refused as invalid: check their sizes and their number");
      } else {
        return false;
      }
    }
    return true;
  }

  std::shared_ptr<State> state_;
  std::shared_ptr<Batch> batch_;
  std::size_t index_ = 0;
};

inline Stream Method::stream(BytesView request, const CallOptions& options) const { return Stream(*this, request, options); }

}  // namespace rustbridge

#endif  // RUSTBRIDGE_STREAM_HPP

/* Part of rustbridge.hpp. What crosses the boundary as a number, and bytes that somebody else has. */
#ifndef RUSTBRIDGE_CODES_HPP
#define RUSTBRIDGE_CODES_HPP

#if !(defined(_MSVC_LANG) ? _MSVC_LANG >= 202002L : __cplusplus >= 202002L)
#error "rustbridge.hpp is for C++20 and later; rustbridge.h is for C11 and C++17"
#endif

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include "../rustbridge.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace rustbridge {

/// How a call ended: gRPC's canonical codes. A number that is none of them is `unknown`.
enum class Status : std::int32_t {
  ok = RB_OK,
  cancelled = RB_CANCELLED,
  unknown = RB_UNKNOWN,
  invalid_argument = RB_INVALID_ARGUMENT,
  deadline_exceeded = RB_DEADLINE_EXCEEDED,
  not_found = RB_NOT_FOUND,
  already_exists = RB_ALREADY_EXISTS,
  permission_denied = RB_PERMISSION_DENIED,
  resource_exhausted = RB_RESOURCE_EXHAUSTED,
  failed_precondition = RB_FAILED_PRECONDITION,
  aborted = RB_ABORTED,
  out_of_range = RB_OUT_OF_RANGE,
  unimplemented = RB_UNIMPLEMENTED,
  internal = RB_INTERNAL,
  unavailable = RB_UNAVAILABLE,
  data_loss = RB_DATA_LOSS,
  unauthenticated = RB_UNAUTHENTICATED,
};

/// The canonical name, e.g. `NOT_FOUND`.
inline std::string_view name_of(Status status) noexcept { return rb_status_name(static_cast<rb_status>(status)); }

/// How requests and answers are laid out.
enum class Encoding : std::uint32_t {
  json = RB_ENCODING_JSON,
  raw = RB_ENCODING_RAW,
  pod = RB_ENCODING_POD,
  msgpack = RB_ENCODING_MSGPACK,
  bincode = RB_ENCODING_BINCODE,
  postcard = RB_ENCODING_POSTCARD,
  wire = RB_ENCODING_WIRE,
  /// To prepare by only: bytes as they are, `raw` if the method has it and otherwise `pod`.
  bytes = RB_ENCODING_BYTES,
};

/// How urgent a log record is, or how much is wanted.
enum class Level : std::uint32_t {
  off = RB_LOG_OFF,
  error = RB_LOG_ERROR,
  warn = RB_LOG_WARN,
  info = RB_LOG_INFO,
  debug = RB_LOG_DEBUG,
  trace = RB_LOG_TRACE,
};

/// The state of an instance. A newer library may have further states; they have no name here.
enum class State : std::uint32_t {
  active = RB_STATE_ACTIVE,
  poisoned = RB_STATE_POISONED,
  closing = RB_STATE_CLOSING,
  closed = RB_STATE_CLOSED,
  forked = RB_STATE_FORKED,
};

/// The version of librustbridge, e.g. `0.1.0`.
inline std::string_view version() noexcept { return rb_version(); }

/// Bytes that somebody else has: of a text, or of anything that lies in a row and has elements of one byte. A null text is empty.
class BytesView {
 public:
  constexpr BytesView() noexcept = default;
  BytesView(const void* data, std::size_t size) noexcept : data_(static_cast<const std::uint8_t*>(data)), size_(size) {}

  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  BytesView(const Text& text) noexcept {
    if constexpr (std::convertible_to<const Text&, const char*> && !std::is_array_v<Text>) {
      if (static_cast<const char*>(text) == nullptr) {
        return;
      }
    }
    std::string_view view = text;
    *this = BytesView(view.data(), view.size());
  }

  template <std::ranges::contiguous_range Range>
    requires(!std::convertible_to<const Range&, std::string_view> && std::ranges::sized_range<Range> &&
             sizeof(std::ranges::range_value_t<Range>) == 1 &&
             std::is_trivially_copyable_v<std::ranges::range_value_t<Range>>)
  BytesView(const Range& range) noexcept : BytesView(std::ranges::data(range), std::ranges::size(range)) {}

  /// The bytes of one struct; an empty one has none.
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  static BytesView of(const Pod& pod) noexcept {
    return BytesView(&pod, std::is_empty_v<Pod> ? 0 : sizeof pod);
  }

  const std::uint8_t* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::span<const std::byte> bytes() const noexcept { return std::as_bytes(std::span(data_, size_)); }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

inline Status known(rb_status status) noexcept {
  return status >= RB_OK && status <= RB_UNAUTHENTICATED ? static_cast<Status>(status) : Status::unknown;
}

inline rb_text text_of(std::string_view text) noexcept { return {text.data(), text.size()}; }

inline std::string_view view_of(rb_text text) noexcept {
  return text.len == 0 ? std::string_view() : std::string_view(text.data, text.len);
}

/// `memcpy` that may be asked for nothing of nowhere.
inline void copy(void* to, const void* from, std::size_t size) noexcept {
  if (size > 0) {
    std::memcpy(to, from, size);
  }
}

/// Converts to C's milliseconds: rounded up; negative durations are 0, and the longest one is no limit.
template <class Rep, class Period>
std::uint64_t milliseconds_of(std::chrono::duration<Rep, Period> time) noexcept {
  if (time == (std::chrono::duration<Rep, Period>::max)()) {
    return UINT64_MAX;
  }
  if (time <= time.zero()) {
    return 0;
  }
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

}  // namespace detail

}  // namespace rustbridge

#endif  // RUSTBRIDGE_CODES_HPP

/* Part of rustbridge_wire.hpp. UUIDs, timestamps and durations. */
#ifndef RUSTBRIDGE_WIRE_TIMES_HPP
#define RUSTBRIDGE_WIRE_TIMES_HPP

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../error.hpp"

namespace rustbridge {

/// A UUID. Its bytes are in the order of its text form.
struct Uuid {
  std::array<std::uint8_t, 16> bytes{};

  /// Returns the text form: `67e55044-10b1-426f-9247-bb680e5fe0c8`.
  std::string to_string() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (at == 4 || at == 6 || at == 8 || at == 10) {
        text += '-';
      }
      text += digits[bytes[at] >> 4];
      text += digits[bytes[at] & 15];
    }
    return text;
  }

  friend bool operator==(const Uuid&, const Uuid&) noexcept = default;
  friend auto operator<=>(const Uuid&, const Uuid&) noexcept = default;
};

namespace detail {

inline constexpr std::uint32_t nanoseconds_in_a_second = 1'000'000'000;

/// Durations that count seconds, or fractions of a second that are whole nanoseconds, in a signed integer.
template <class Span>
concept Ticks = std::integral<typename Span::rep> && std::is_signed_v<typename Span::rep> && Span::period::num == 1 &&
                nanoseconds_in_a_second % Span::period::den == 0;

/// Returns the whole seconds, rounded down, and the nanoseconds after them. Rounding by `std::chrono` may overflow for the earliest values.
template <Ticks Span>
constexpr std::pair<std::int64_t, std::uint32_t> parts_of(Span span) noexcept {
  constexpr auto in_a_second = static_cast<std::int64_t>(Span::period::den);
  auto ticks = static_cast<std::int64_t>(span.count());
  std::int64_t whole = ticks / in_a_second;
  std::int64_t part = ticks % in_a_second;
  if (part < 0) {
    part += in_a_second;
    --whole;
  }
  return {whole, static_cast<std::uint32_t>(part * (nanoseconds_in_a_second / in_a_second))};
}

/// Converts seconds and nanoseconds to ticks, rounded down. None: the ticks can't count that far.
template <Ticks Span, class Seconds>
std::optional<Span> ticks_of(Seconds seconds, std::uint32_t nanoseconds) noexcept {
  using Rep = typename Span::rep;
  constexpr auto in_a_second = static_cast<std::int64_t>(Span::period::den);
  constexpr auto most = static_cast<std::int64_t>((std::min<std::intmax_t>)((std::numeric_limits<Rep>::max)(), INT64_MAX));
  auto part = static_cast<std::int64_t>(nanoseconds) / (nanoseconds_in_a_second / in_a_second);
  if constexpr (std::is_signed_v<Seconds>) {
    // Multiplies a second later than the result, and subtracts afterwards, so that the product doesn't overflow.
    bool below = seconds < 0 && part > 0;
    std::int64_t whole = below ? seconds + 1 : seconds;
    part = below ? part - in_a_second : part;
    if (whole > (most - (part > 0 ? part : 0)) / in_a_second || whole < (-most - (part < 0 ? part : 0)) / in_a_second) {
      return std::nullopt;
    }
    return Span(static_cast<Rep>(whole * in_a_second + part));
  } else {
    if (seconds > static_cast<std::uint64_t>((most - part) / in_a_second)) {
      return std::nullopt;
    }
    return Span(static_cast<Rep>(static_cast<std::int64_t>(seconds) * in_a_second + part));
  }
}

}  // namespace detail

/// A point in time in nanoseconds. Its range is that of the wire format. Time points of `std::chrono` in nanoseconds only reach some 292
/// years before and after 1970.
struct Timestamp {
  /// Seconds since 1970-01-01T00:00:00Z.
  std::int64_t seconds = 0;
  /// Nanoseconds after that second; less than a second.
  std::uint32_t nanoseconds = 0;

  constexpr Timestamp() noexcept = default;
  constexpr Timestamp(std::int64_t since_epoch, std::uint32_t part) noexcept : seconds(since_epoch), nanoseconds(part) {}
  template <detail::Ticks Span>
  Timestamp(std::chrono::sys_time<Span> time) noexcept {
    std::tie(seconds, nanoseconds) = detail::parts_of(time.time_since_epoch());
  }

  /// Converts it to a time point of `std::chrono`, rounded down to its ticks. `Error` with `out_of_range`: the ticks can't count that far.
  template <class Span = std::chrono::nanoseconds>
    requires detail::Ticks<Span>
  std::chrono::sys_time<Span> to() const {
    if (auto ticks = detail::ticks_of<Span>(seconds, nanoseconds)) {
      return std::chrono::sys_time<Span>(*ticks);
    }
    throw Error(Status::out_of_range, "the point in time at " + std::to_string(seconds) + " s is outside the range of this clock");
  }

  friend constexpr bool operator==(const Timestamp&, const Timestamp&) noexcept = default;
  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) noexcept = default;
};

/// A duration in nanoseconds. It's never negative.
struct Duration {
  std::uint64_t seconds = 0;
  /// Nanoseconds in addition to the seconds; less than a second.
  std::uint32_t nanoseconds = 0;

  constexpr Duration() noexcept = default;
  constexpr Duration(std::uint64_t whole, std::uint32_t part) noexcept : seconds(whole), nanoseconds(part) {}
  /// Converts a duration of `std::chrono`. `Error` with `invalid_argument`: it's negative.
  template <class Rep, class Period>
    requires detail::Ticks<std::chrono::duration<Rep, Period>>
  Duration(std::chrono::duration<Rep, Period> time) {
    if (time < time.zero()) {
      throw Error(Status::invalid_argument, "the duration is negative: expected zero or more");
    }
    auto parts = detail::parts_of(time);
    seconds = static_cast<std::uint64_t>(parts.first);
    nanoseconds = parts.second;
  }

  /// Converts it to a duration of `std::chrono`, rounded down to its ticks. `Error` with `out_of_range`: the ticks can't count that far.
  template <class Span = std::chrono::nanoseconds>
    requires detail::Ticks<Span>
  Span to() const {
    if (auto ticks = detail::ticks_of<Span>(seconds, nanoseconds)) {
      return *ticks;
    }
    throw Error(Status::out_of_range, "a duration of " + std::to_string(seconds) + " s is outside the range of this duration");
  }

  friend constexpr bool operator==(const Duration&, const Duration&) noexcept = default;
  friend constexpr auto operator<=>(const Duration&, const Duration&) noexcept = default;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_WIRE_TIMES_HPP

/* Part of rustbridge_wire.hpp. Numbers of 128 bits. */
#ifndef RUSTBRIDGE_WIRE_NUMBERS_HPP
#define RUSTBRIDGE_WIRE_NUMBERS_HPP

#include <compare>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "../error.hpp"

namespace rustbridge {

#if defined(__SIZEOF_INT128__)
namespace detail {
__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;
}  // namespace detail
#endif

/// A number of 128 bits without a sign, in two halves.
struct U128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  constexpr U128() noexcept = default;
  /// `Error` with `invalid_argument`: it's negative.
  template <std::integral Number>
    requires(sizeof(Number) <= sizeof(std::uint64_t))
  constexpr U128(Number number) : low(static_cast<std::uint64_t>(number)) {
    if constexpr (std::is_signed_v<Number>) {
      if (number < 0) {
        throw Error(Status::invalid_argument, "the number is negative: expected zero or more");
      }
    }
  }
  constexpr U128(std::uint64_t lower, std::uint64_t upper) noexcept : low(lower), high(upper) {}
#if defined(__SIZEOF_INT128__)
  constexpr U128(detail::wide_unsigned number) noexcept
      : low(static_cast<std::uint64_t>(number)), high(static_cast<std::uint64_t>(number >> 64)) {}
  constexpr explicit operator detail::wide_unsigned() const noexcept { return detail::wide_unsigned{high} << 64 | low; }
#endif

  friend constexpr bool operator==(const U128&, const U128&) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(const U128& one, const U128& other) noexcept {
    return one.high == other.high ? one.low <=> other.low : one.high <=> other.high;
  }
};

/// A number of 128 bits with a sign, in two's complement and two halves.
struct I128 {
  std::uint64_t low = 0;
  std::int64_t high = 0;

  constexpr I128() noexcept = default;
  template <std::integral Number>
    requires(sizeof(Number) <= sizeof(std::int64_t))
  constexpr I128(Number number) noexcept : low(static_cast<std::uint64_t>(number)) {
    if constexpr (std::is_signed_v<Number>) {
      high = number < 0 ? -1 : 0;
    }
  }
  constexpr I128(std::uint64_t lower, std::int64_t upper) noexcept : low(lower), high(upper) {}
#if defined(__SIZEOF_INT128__)
  constexpr I128(detail::wide_signed number) noexcept
      : low(static_cast<std::uint64_t>(number)), high(static_cast<std::int64_t>(number >> 64)) {}
  constexpr explicit operator detail::wide_signed() const noexcept {
    return static_cast<detail::wide_signed>(detail::wide_unsigned{static_cast<std::uint64_t>(high)} << 64 | low);
  }
#endif

  friend constexpr bool operator==(const I128&, const I128&) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(const I128& one, const I128& other) noexcept {
    return one.high == other.high ? one.low <=> other.low : one.high <=> other.high;
  }
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_WIRE_NUMBERS_HPP

/* Part of rustbridge_wire.hpp. Codecs of values. */
#ifndef RUSTBRIDGE_WIRE_CODEC_HPP
#define RUSTBRIDGE_WIRE_CODEC_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "decimal.hpp"
#include "numbers.hpp"
#include "times.hpp"
#include "values.hpp"
#include "path.hpp"

namespace rustbridge::wire {

/// Writes and reads values of a type. Each specialization has:
/// * `least`: the smallest size of a value in the wire format, in bytes;
/// * `is_plain`: a value has the same bytes in memory and in the wire format, and any bytes are valid;
/// * `is_aligned`: a list of such values begins at a multiple of 8. Aligned types are plain.
template <class Value>
struct Codec;

template <std::size_t Least>
struct Traits {
  static constexpr std::size_t least = Least;
  static constexpr bool is_plain = false;
  static constexpr bool is_aligned = false;
};

/// The codec of a type whose values have the same bytes in memory and in the wire format.
template <class Value, bool Aligned>
struct Plain {
  static_assert(std::is_trivially_copyable_v<Value> && std::is_standard_layout_v<Value>, "it's copied as bytes");

  static constexpr std::size_t least = sizeof(Value);
  static constexpr bool is_plain = true;
  static constexpr bool is_aligned = Aligned;

  template <class Out>
  static void write(Out& out, const Value& value) {
    out.plain(value);
  }
  template <class In>
  static void read(In& in, Value& value) {
    in.plain(value);
  }
};

/// The codec of a struct that has the same bytes in memory and in the wire format.
template <class Value>
using Pod = Plain<Value, true>;

template <> struct Codec<std::uint8_t> : Plain<std::uint8_t, false> {};
template <> struct Codec<std::uint16_t> : Plain<std::uint16_t, true> {};
template <> struct Codec<std::uint32_t> : Plain<std::uint32_t, true> {};
template <> struct Codec<std::uint64_t> : Plain<std::uint64_t, true> {};
template <> struct Codec<U128> : Plain<U128, true> {};
template <> struct Codec<std::int8_t> : Plain<std::int8_t, false> {};
template <> struct Codec<std::int16_t> : Plain<std::int16_t, true> {};
template <> struct Codec<std::int32_t> : Plain<std::int32_t, true> {};
template <> struct Codec<std::int64_t> : Plain<std::int64_t, true> {};
template <> struct Codec<I128> : Plain<I128, true> {};
template <> struct Codec<float> : Plain<float, true> {};
template <> struct Codec<double> : Plain<double, true> {};
template <> struct Codec<Uuid> : Plain<Uuid, false> {};

template <>
struct Codec<std::monostate> : Traits<0> {
  template <class Out>
  static void write(Out&, const std::monostate&) noexcept {}
  template <class In>
  static void read(In&, std::monostate&) noexcept {}
};

template <>
struct Codec<bool> : Traits<1> {
  template <class Out>
  static void write(Out& out, bool value) {
    out.plain(static_cast<std::uint8_t>(value));
  }
  template <class In>
  static void read(In& in, bool& value) {
    value = in.boolean();
  }
};

template <>
struct Codec<char32_t> : Traits<4> {
  static constexpr bool is_scalar(char32_t value) noexcept { return value < 0xD800 || (value > 0xDFFF && value < 0x110000); }

  template <class Out>
  static void write(Out& out, char32_t value) {
    if (!is_scalar(value)) {
      out.fail(std::to_string(static_cast<std::uint32_t>(value)) + " isn't a character");
    }
    out.plain(value);
  }
  template <class In>
  static void read(In& in, char32_t& value) {
    in.plain(value);
    if (!is_scalar(value)) {
      std::uint32_t found = value;
      value = 0;
      in.fail(std::to_string(found) + " isn't a character", sizeof value);
    }
  }
};

template <>
struct Codec<std::string_view> : Traits<4> {
  template <class Out>
  static void write(Out& out, std::string_view value) {
    out.text(value);
  }
};

template <>
struct Codec<std::string> : Codec<std::string_view> {
  template <class In>
  static void read(In& in, std::string& value) {
    value = in.text();
  }
};

template <>
struct Codec<Decimal> : Traits<4> {
  template <class Out>
  static void write(Out& out, const Decimal& value) {
    Codec<std::string>::write(out, value.text());
  }
  template <class In>
  static void read(In& in, Decimal& value) {
    std::string text;
    Codec<std::string>::read(in, text);
    if (!Decimal::is_decimal(text)) {
      in.fail("\"" + text.substr(0, 40) + "\" isn't a decimal number", text.size() + 4);
      return;
    }
    value = Decimal(text);
  }
};

template <>
struct Codec<Timestamp> : Traits<12> {
  template <class Out>
  static void write(Out& out, const Timestamp& value) {
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      out.fail("expected less than 1000000000 nanoseconds");
    }
    out.plain(value.seconds);
    out.plain(value.nanoseconds);
  }
  template <class In>
  static void read(In& in, Timestamp& value) {
    in.plain(value.seconds);
    in.plain(value.nanoseconds);
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      in.fail("expected less than 1000000000 nanoseconds", sizeof value.nanoseconds);
    }
  }
};

template <>
struct Codec<Duration> : Traits<12> {
  template <class Out>
  static void write(Out& out, const Duration& value) {
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      out.fail("expected less than 1000000000 nanoseconds");
    }
    out.plain(value.seconds);
    out.plain(value.nanoseconds);
  }
  template <class In>
  static void read(In& in, Duration& value) {
    in.plain(value.seconds);
    in.plain(value.nanoseconds);
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      in.fail("expected less than 1000000000 nanoseconds", sizeof value.nanoseconds);
    }
  }
};

/// The codec of an optional value, and of a field that may be left to the plugin's default.
template <class Value>
struct Codec<std::optional<Value>> : Traits<1> {
  template <class Out>
  static void write(Out& out, const std::optional<Value>& value) {
    out.plain(static_cast<std::uint8_t>(value.has_value()));
    if (value) {
      Codec<Value>::write(out, *value);
    }
  }
  template <class In>
  static void read(In& in, std::optional<Value>& value) {
    if (in.boolean()) {
      Codec<Value>::read(in, value.emplace());
    } else {
      value.reset();
    }
  }
};

template <class Value>
struct Codec<Box<Value>> {
  static constexpr std::size_t least = Codec<Value>::least;
  static constexpr bool is_plain = false;
  static constexpr bool is_aligned = false;

  template <class Out>
  static void write(Out& out, const Box<Value>& value) {
    if (!value) {
      out.fail("the box is empty");
    }
    Codec<Value>::write(out, *value);
  }
  template <class In>
  static void read(In& in, Box<Value>& value) {
    value = Box<Value>(Value());
    Codec<Value>::read(in, *value);
  }
};

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_CODEC_HPP

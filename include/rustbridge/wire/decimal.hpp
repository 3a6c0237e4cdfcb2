/* Part of rustbridge_wire.hpp. Decimal numbers. */
#ifndef RUSTBRIDGE_WIRE_DECIMAL_HPP
#define RUSTBRIDGE_WIRE_DECIMAL_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "../error.hpp"

namespace rustbridge {

/// A decimal number of any precision, as its text: digits, perhaps with a minus before and a point between them. Two are equal if their texts
/// are.
class Decimal {
 public:
  Decimal() : text_("0") {}
  /// `Error` with `invalid_argument`: the text isn't a decimal number, or has more than 1,000 characters.
  explicit Decimal(std::string_view text) : text_(text) {
    if (!is_decimal(text)) {
      throw Error(Status::invalid_argument, "\"" + std::string(text.substr(0, 40)) + "\" isn't a decimal number such as \"-12.50\"");
    }
  }

  const std::string& text() const noexcept { return text_; }

  /// Returns whether a text is a decimal number.
  static bool is_decimal(std::string_view text) noexcept {
    constexpr std::size_t most = 1000;
    if (text.size() > most) {
      return false;
    }
    if (text.starts_with('-')) {
      text.remove_prefix(1);
    }
    auto is_number = [](std::string_view digits) {
      return !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char it) { return it >= '0' && it <= '9'; });
    };
    std::size_t point = text.find('.');
    return point == std::string_view::npos ? is_number(text) : is_number(text.substr(0, point)) && is_number(text.substr(point + 1));
  }

  friend bool operator==(const Decimal&, const Decimal&) noexcept = default;

 private:
  std::string text_;
};

}  // namespace rustbridge

#endif

/* Part of rustbridge.hpp. Reads, checks and writes the JSON of errors. */
#ifndef RUSTBRIDGE_JSON_HPP
#define RUSTBRIDGE_JSON_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codes.hpp"

namespace rustbridge {

namespace detail {

/// Returns the size in bytes of the first character of a text that isn't empty; 0 if it isn't UTF-8.
inline std::size_t character(std::string_view text) noexcept {
  auto at = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  unsigned first = at(0);
  if (first < 0x80) {
    return 1;
  }
  std::size_t size = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
  if (size == 0 || text.size() < size) {
    return 0;
  }
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (at(1) < low || at(1) > high) {
    return 0;
  }
  for (std::size_t index = 2; index < size; ++index) {
    if ((at(index) & 0xC0) != 0x80) {
      return 0;
    }
  }
  return size;
}

/// Returns the text with U+FFFD in place of each byte that isn't UTF-8.
inline std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    std::size_t size = character(text);
    if (size == 0) {
      valid += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      valid.append(text.substr(0, size));
      text.remove_prefix(size);
    }
  }
  return valid;
}

inline void append_json_text(std::string& to, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  to += '"';
  for (char one : valid_utf8(text)) {
    auto code = static_cast<unsigned char>(one);
    if (one == '"' || one == '\\') {
      to += '\\';
      to += one;
    } else if (code < 0x20) {
      to += "\\u00";
      to += digits[code >> 4];
      to += digits[code & 15];
    } else {
      to += one;
    }
  }
  to += '"';
}

/// Reads JSON strictly by RFC 8259. It refuses values that are nested deeper than plugins accept.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) noexcept : rest_(text) {}

  /// Reads one value, and sets `raw` to its text. Returns false if it isn't valid JSON.
  bool value(std::string_view& raw, int depth = 0) {
    skip_space();
    const char* begin = rest_.data();
    if (rest_.empty() || depth > 127 || !any(depth)) {
      return false;
    }
    raw = {begin, static_cast<std::size_t>(rest_.data() - begin)};
    return true;
  }

  /// Reads an object, and calls `take` with the name and the JSON text of each member. Returns false if it isn't a valid object.
  template <class Take>
  bool object(Take&& take, int depth = 0) {
    std::string name;
    std::string_view raw;
    if (!skip('{')) {
      return false;
    }
    if (skip('}')) {
      return true;
    }
    do {
      skip_space();
      if (!text(&name) || !skip(':') || !value(raw, depth + 1)) {
        return false;
      }
      take(std::string_view(name), raw);
    } while (skip(','));
    return skip('}');
  }

  /// Reads a string into `to`, or skips it if `to` is null. A surrogate without its other half becomes U+FFFD. Returns false if it isn't a
  /// valid string.
  bool text(std::string* to) {
    if (to != nullptr) {
      to->clear();
    }
    if (!take('"')) {
      return false;
    }
    while (!rest_.empty()) {
      char one = rest_.front();
      rest_.remove_prefix(1);
      if (one == '"') {
        return true;
      }
      if (static_cast<unsigned char>(one) < 0x20) {
        return false;
      }
      if (one != '\\') {
        if (to != nullptr) {
          *to += one;
        }
      } else if (!escape(to)) {
        return false;
      }
    }
    return false;
  }

  /// Reports whether only white space is left.
  bool at_end() {
    skip_space();
    return rest_.empty();
  }

 private:
  bool take(char one) {
    if (rest_.empty() || rest_.front() != one) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  bool skip(char one) {
    skip_space();
    return take(one);
  }

  void skip_space() {
    std::size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }

  bool word(std::string_view expected) {
    if (!rest_.starts_with(expected)) {
      return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool any(int depth) {
    switch (rest_.front()) {
      case '{': return object([](std::string_view, std::string_view) {}, depth);
      case '[': return array(depth);
      case '"': return text(nullptr);
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return number();
    }
  }

  bool array(int depth) {
    std::string_view raw;
    rest_.remove_prefix(1);
    if (skip(']')) {
      return true;
    }
    do {
      if (!value(raw, depth + 1)) {
        return false;
      }
    } while (skip(','));
    return skip(']');
  }

  bool digits() {
    std::size_t at = (std::min)(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(at);
    return at > 0;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) {
      return false;
    }
    if (take('.') && !digits()) {
      return false;
    }
    if (take('e') || take('E')) {
      if (!take('+')) {
        take('-');
      }
      return digits();
    }
    return true;
  }

  bool escape(std::string* to) {
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) {
      return false;
    }
    char one = rest_.front();
    rest_.remove_prefix(1);
    std::uint32_t code = 0;
    if (std::size_t at = names.find(one); at != std::string_view::npos) {
      code = static_cast<unsigned char>(meant[at]);
    } else if (one != 'u' || !unit(code)) {
      return false;
    } else if (code >= 0xD800 && code < 0xE000) {
      std::string_view before = rest_;
      std::uint32_t low = 0;
      if (code < 0xDC00 && word("\\u") && unit(low) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        rest_ = before;
        code = 0xFFFD;
      }
    }
    if (to != nullptr) {
      append(*to, code);
    }
    return true;
  }

  bool unit(std::uint32_t& code) {
    code = 0;
    for (int digit = 0; digit < 4; ++digit) {
      if (rest_.empty()) {
        return false;
      }
      char one = rest_.front();
      rest_.remove_prefix(1);
      int value = one >= '0' && one <= '9'   ? one - '0'
                  : one >= 'a' && one <= 'f' ? one - 'a' + 10
                  : one >= 'A' && one <= 'F' ? one - 'A' + 10
                                             : -1;
      if (value < 0) {
        return false;
      }
      code = code * 16 + static_cast<std::uint32_t>(value);
    }
    return true;
  }

  static void append(std::string& to, std::uint32_t code) {
    auto add = [&](std::uint32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xC0 | code >> 6);
      add(0x80 | (code & 63));
    } else {
      if (code < 0x10000) {
        add(0xE0 | code >> 12);
      } else {
        add(0xF0 | code >> 18);
        add(0x80 | (code >> 12 & 63));
      }
      add(0x80 | (code >> 6 & 63));
      add(0x80 | (code & 63));
    }
  }

  std::string_view rest_;
};

inline bool is_json(std::string_view text) {
  JsonReader reader(text);
  std::string_view raw;
  return valid_utf8(text) == text && reader.value(raw) && reader.at_end();
}

}  // namespace detail

}  // namespace rustbridge

#endif  // RUSTBRIDGE_JSON_HPP

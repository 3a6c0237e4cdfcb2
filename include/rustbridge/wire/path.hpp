/* Part of rustbridge_wire.hpp. Limits of messages, errors in them, and the paths of those errors. */
#ifndef RUSTBRIDGE_WIRE_PATH_HPP
#define RUSTBRIDGE_WIRE_PATH_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../error.hpp"

namespace rustbridge::wire {

/// The maximum nesting depth of values.
inline constexpr std::size_t max_depth = 128;
/// The maximum size of a message in bytes, and of a list in items.
inline constexpr std::size_t max_bytes = 0x7FFF'FFF7;
/// The number that stands for all variants of an open enum that a client doesn't know.
inline constexpr std::uint16_t unknown_variant = 0xFFFF;

static_assert(std::endian::native == std::endian::little, "values are copied between memory and messages, which are little-endian");

/// Text as a template argument.
template <std::size_t Size>
struct Name {
  char text[Size]{};

  constexpr Name(const char (&literal)[Size]) noexcept {
    for (std::size_t at = 0; at < Size; ++at) {
      text[at] = literal[at];
    }
  }
  constexpr std::string_view view() const noexcept { return {text, Size - 1}; }
};

/// Reports whether a text is ASCII. It checks eight bytes at a time; the last eight may overlap those before.
inline bool is_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t high = 0x8080'8080'8080'8080;
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t eight = 0;
  if (left < sizeof eight) {
    unsigned all = 0;
    for (char one : text) {
      all |= static_cast<unsigned char>(one);
    }
    return all < 0x80;
  }
  for (; left > sizeof eight; left -= sizeof eight, at += sizeof eight) {
    std::memcpy(&eight, at, sizeof eight);
    if ((eight & high) != 0) {
      return false;
    }
  }
  std::memcpy(&eight, at + left - sizeof eight, sizeof eight);
  return (eight & high) == 0;
}

/// Returns the size in bytes of the longest prefix that is UTF-8.
inline std::size_t valid_up_to(std::string_view text) noexcept {
  if (is_ascii(text)) [[likely]] {
    return text.size();
  }
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - at >= sizeof eight) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080'8080'8080'8080) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    std::size_t size = rustbridge::detail::character(text.substr(at));
    if (size == 0) {
      break;
    }
    at += size;
  }
  return at;
}

/// The exception that readers and writers throw for an invalid message or value.
struct Wrong {
  /// The offset in the message, in bytes.
  std::size_t at;
  /// The description of the problem.
  std::string what;
  /// The path of the value; empty if the reader or writer doesn't record paths.
  std::string path{};
  Status status = Status::invalid_argument;
};

/// Records the path to the current value. After an exception, it still has the path of the invalid value.
class Steps {
 public:
  static constexpr bool are_counted = true;

  explicit Steps(std::string first) : path_(std::move(first)) {}

  void field(std::string_view name) {
    lengths_.push_back(path_.size());
    if (!name.empty() && name.front() != '[') {
      path_ += '.';
    }
    path_ += name;
  }
  void item(std::size_t place) {
    lengths_.push_back(path_.size());
    path_ += '[' + std::to_string(place) + ']';
  }
  void back() {
    path_.resize(lengths_.back());
    lengths_.pop_back();
  }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::vector<std::size_t> lengths_;
};

/// Takes the place of `Steps` and records nothing, for the first pass over a value. If that pass fails, a second one records the path.
class NoSteps {
 public:
  static constexpr bool are_counted = false;

  void field(std::string_view) noexcept {}
  void item(std::size_t) noexcept {}
  void back() noexcept {}
  std::string path() const { return {}; }
};

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_PATH_HPP

/* Part of rustbridge.hpp. Metadata and traces. */
#ifndef RUSTBRIDGE_METADATA_HPP
#define RUSTBRIDGE_METADATA_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes.hpp"

namespace rustbridge {

/// Pairs of key and value: with a request, with an answer (trailers), or before it (headers). Keys are visible ASCII without capitals and may
/// repeat; values are any bytes. All together have at most 64 KiB. A call with invalid metadata is refused with `invalid_argument`.
class Metadata {
 public:
  Metadata() = default;
  Metadata(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
    for (const auto& [key, value] : pairs) {
      add(key, value);
    }
  }

  /// Returns metadata from its binary form (`rb_call_context`). The call refuses malformed metadata.
  static Metadata of_encoded(BytesView encoded) {
    Metadata metadata;
    metadata.encoded_.assign(encoded.data(), encoded.data() + encoded.size());
    return metadata;
  }

  /// Adds a pair. `Error` with `invalid_argument`: together they have more than metadata may.
  Metadata& add(std::string_view key, BytesView value);

  /// The first value of a key.
  std::optional<std::string_view> get(std::string_view key) const {
    for (const auto& [found, value] : pairs()) {
      if (found == key) {
        return value;
      }
    }
    return std::nullopt;
  }

  /// All pairs in order, which belong to this and are good until it changes.
  std::vector<std::pair<std::string_view, std::string_view>> pairs() const {
    std::vector<std::pair<std::string_view, std::string_view>> all;
    std::string_view rest(reinterpret_cast<const char*>(encoded_.data()), encoded_.size());
    std::uint32_t count = 0;
    if (!number(rest, count)) {
      return all;
    }
    for (std::uint32_t key = 0, value = 0; count > 0; --count) {
      if (!number(rest, key) || !number(rest, value) || rest.size() < std::uint64_t{key} + value) {
        break;
      }
      all.emplace_back(rest.substr(0, key), rest.substr(key, value));
      rest.remove_prefix(std::size_t{key} + value);
    }
    return all;
  }

  bool empty() const noexcept { return encoded_.empty(); }
  BytesView encoded() const noexcept { return encoded_; }

 private:
  static bool number(std::string_view& rest, std::uint32_t& to) {
    if (rest.size() < sizeof to) {
      return false;
    }
    std::memcpy(&to, rest.data(), sizeof to);
    rest.remove_prefix(sizeof to);
    return true;
  }

  std::vector<std::uint8_t> encoded_;
};

/// The W3C trace context of a call.
struct Trace {
  /// Not all zero.
  std::array<std::uint8_t, 16> trace_id{};
  /// The caller's span, not all zero.
  std::array<std::uint8_t, 8> span_id{};
  /// Bit 0: it's sampled.
  std::uint32_t flags = 0;
  /// `tracestate`, or empty.
  std::string state{};
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_METADATA_HPP

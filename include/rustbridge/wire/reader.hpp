/* Part of rustbridge_wire.hpp. Reading. */
#ifndef RUSTBRIDGE_WIRE_READER_HPP
#define RUSTBRIDGE_WIRE_READER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cold.hpp"
#include "objects.hpp"
#include "path.hpp"

namespace rustbridge::wire {

/// Reads a message. It never accesses memory beyond the message, whatever the bytes are.
template <class Path>
class Reader {
 public:
  Reader(BytesView message, std::span<Object> objects, const Context* context, Path path = Path())
      : begin_(message.data()),
        at_(message.data()),
        end_(message.data() + message.size()),
        objects_(objects),
        context_(context),
        path_(std::move(path)) {
    if constexpr (Path::are_counted) {
      seen_.resize(objects.size());
    }
  }

  Path& path() noexcept { return path_; }
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  Context context() const noexcept { return context_ == nullptr ? Context() : *context_; }

  /// Returns the next bytes, and advances past them.
  const std::uint8_t* take(std::size_t size) {
    if (left() < size) [[unlikely]] {
      fail_short(size);
    }
    return std::exchange(at_, at_ + size);
  }
  template <class Value>
  void plain(Value& value) {
    std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value);
  }
  bool boolean() {
    std::uint8_t found = *take(1);
    if (found > 1) [[unlikely]] {
      fail_boolean(found);
    }
    return found != 0;
  }
  /// Reads a number of items, each of which has at least `least` bytes. A number that exceeds the rest of the message is refused.
  std::size_t count(std::size_t least) {
    std::uint32_t items = 0;
    plain(items);
    if (std::uint64_t{items} * least > left()) [[unlikely]] {
      fail_count(items);
    }
    return items;
  }
  void align() {
    std::size_t padding = (0 - static_cast<std::size_t>(at_ - begin_)) & 7;
    const std::uint8_t* zeros = take(padding);
    for (std::size_t at = 0; at < padding; ++at) {
      if (zeros[at] != 0) [[unlikely]] {
        fail("padding isn't zero", padding - at);
      }
    }
  }
  std::string_view text() {
    std::size_t size = count(1);
    std::string_view text(reinterpret_cast<const char*>(take(size)), size);
    if (std::size_t valid = valid_up_to(text); valid != size) [[unlikely]] {
      fail("text isn't UTF-8", size - valid);
    }
    return text;
  }
  Object object() {
    std::uint32_t position = 0;
    plain(position);
    if (position >= objects_.size()) {
      fail("object " + std::to_string(position) + " is missing: " + std::to_string(objects_.size()) +
               " objects accompany the message, and positions count from 0",
           sizeof position);
    }
    if (is_taken(position)) {
      fail("object " + std::to_string(position) + " occurs twice in the message, expected once", sizeof position);
    }
    if constexpr (Path::are_counted) {
      // The first pass consumed the objects, and they were released with its values.
      seen_[position] = true;
      return Object();
    } else {
      return std::move(objects_[position]);
    }
  }
  void end() const {
    if (at_ != end_) [[unlikely]] {
      fail_left_over();
    }
  }

  void enter() {
    if (++depth_ > max_depth) [[unlikely]] {
      fail_depth();
    }
  }
  void leave() noexcept { --depth_; }
  /// Returns for how many items to reserve memory before they are read. From a depth of 16 on, it's at most 64: each level could otherwise
  /// reserve memory in proportion to the rest of the message.
  std::size_t room(std::size_t count) const noexcept { return depth_ < 16 ? count : (std::min)(count, std::size_t{64}); }

  /// Throws the exception for a problem that begins `before` bytes before the current position.
  [[noreturn]] RUSTBRIDGE_COLD void fail(std::string what, std::size_t before = 0) const {
    throw Wrong{static_cast<std::size_t>(at_ - begin_) - before, std::move(what), path_.path()};
  }

 private:
  [[noreturn]] RUSTBRIDGE_COLD void fail_short(std::size_t size) const {
    fail("expected " + std::to_string(size) + " bytes, but only " + std::to_string(left()) + " are left");
  }
  [[noreturn]] RUSTBRIDGE_COLD void fail_boolean(std::uint8_t found) const { fail("expected 0 or 1, found " + std::to_string(found), 1); }
  [[noreturn]] RUSTBRIDGE_COLD void fail_count(std::uint32_t items) const {
    fail("expected " + std::to_string(items) + " items, but only " + std::to_string(left()) + " bytes are left", sizeof items);
  }
  [[noreturn]] RUSTBRIDGE_COLD void fail_left_over() const { fail(std::to_string(left()) + " bytes are left after the value"); }
  [[noreturn]] RUSTBRIDGE_COLD void fail_depth() const {
    fail("the value is nested deeper than " + std::to_string(max_depth) + " levels, the limit of a message");
  }

  bool is_taken(std::size_t position) const noexcept {
    if constexpr (Path::are_counted) {
      return seen_[position];
    } else {
      return !objects_[position];
    }
  }

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::span<Object> objects_;
  const Context* context_;
  [[no_unique_address]] Path path_;
  [[no_unique_address]] std::conditional_t<Path::are_counted, std::vector<bool>, std::monostate> seen_;
  std::size_t depth_ = 0;
};

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_READER_HPP

/* Part of rustbridge_wire.hpp. Writing. */
#ifndef RUSTBRIDGE_WIRE_WRITER_HPP
#define RUSTBRIDGE_WIRE_WRITER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cold.hpp"
#include "objects.hpp"
#include "path.hpp"

namespace rustbridge::wire {

namespace detail {

/// Memory that a thread keeps for its next message that doesn't fit the memory on the stack.
struct Spare {
  static constexpr std::size_t most = std::size_t{1} << 20;

  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;

  ~Spare() { gone() = true; }

  /// Reports whether the thread is ending and its memory has been freed.
  static bool& gone() noexcept {
    thread_local bool is_gone = false;
    return is_gone;
  }
  static Spare& mine() noexcept {
    thread_local Spare spare;
    return spare;
  }
};

}  // namespace detail

/// The bytes of a message that is being written. Up to 1,024 bytes are in the object itself, and so on the stack.
class Output {
 public:
  Output() noexcept : begin_(own_), at_(own_), end_(own_ + sizeof own_) {
    // The other bytes stay uninitialized until they are written. Without this one, compilers warn about reading an empty message.
    own_[0] = std::byte{0};
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    if (memory_) {
      keep();
    }
  }

  std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  BytesView bytes() const noexcept { return BytesView(begin_, size()); }

  /// Returns memory for the next bytes, which the caller must write, and advances past them.
  std::byte* room(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]] {
      grow(size);
    }
    return std::exchange(at_, at_ + size);
  }

 private:
  RUSTBRIDGE_COLD void grow(std::size_t more) {
    std::size_t used = size();
    if (more > max_bytes - (std::min)(used, max_bytes)) {
      throw Wrong{used, "the message exceeds the limit of " + std::to_string(max_bytes) + " bytes", {}, Status::resource_exhausted};
    }
    std::size_t wanted = (std::max)(used + more, 2 * static_cast<std::size_t>(end_ - begin_));
    std::unique_ptr<std::byte[]> memory;
    if (!detail::Spare::gone() && detail::Spare::mine().size >= wanted) {
      wanted = std::exchange(detail::Spare::mine().size, 0);
      memory = std::move(detail::Spare::mine().memory);
    } else {
      // Not filled: all of it is written before it's read.
      memory.reset(new std::byte[wanted]);
    }
    rustbridge::detail::copy(memory.get(), begin_, used);
    memory_ = std::move(memory);
    begin_ = memory_.get();
    at_ = begin_ + used;
    end_ = begin_ + wanted;
  }

  RUSTBRIDGE_COLD void keep() noexcept {
    auto size = static_cast<std::size_t>(end_ - begin_);
    if (size <= detail::Spare::most && !detail::Spare::gone() && detail::Spare::mine().size < size) {
      detail::Spare::mine().memory = std::move(memory_);
      detail::Spare::mine().size = size;
    }
  }

  std::byte* begin_;
  std::byte* at_;
  std::byte* end_;
  std::unique_ptr<std::byte[]> memory_;
  alignas(16) std::byte own_[1024];
};

/// Writes a message.
template <class Path>
class Writer {
 public:
  /// Objects in the values must belong to the instance of `lent`. They are borrowed: their numbers are appended there.
  Writer(Output& output, LentObjects* lent, Path path = Path()) : output_(output), lent_(lent), path_(std::move(path)) {}

  Path& path() noexcept { return path_; }
  /// Returns the objects that the call borrows; null for a message that can't have any.
  LentObjects* lent() const noexcept { return lent_; }

  /// Writes values one after the other, with one check for memory.
  template <class... Values>
  void plain(const Values&... values) {
    std::byte* at = output_.room((sizeof values + ...));
    ((std::memcpy(at, &values, sizeof values), at += sizeof values), ...);
  }
  void bytes(const void* data, std::size_t size) { rustbridge::detail::copy(output_.room(size), data, size); }
  void count(std::size_t items) {
    if (items > max_bytes) [[unlikely]] {
      fail("the list exceeds the limit of " + std::to_string(max_bytes) + " items", Status::resource_exhausted);
    }
    plain(static_cast<std::uint32_t>(items));
  }
  /// Writes zeros up to a multiple of 8.
  void align() {
    std::size_t zeros = (0 - output_.size()) & 7;
    std::memset(output_.room(zeros), 0, zeros);
  }
  void text(std::string_view text) {
    if (std::size_t valid = valid_up_to(text); valid != text.size()) [[unlikely]] {
      fail("byte " + std::to_string(valid) + " of the text isn't UTF-8");
    }
    count(text.size());
    bytes(text.data(), text.size());
  }
  void object(const Object& object) {
    if (!object) {
      fail("the object was released, or moved elsewhere");
    }
    if (lent_ == nullptr) {
      fail("objects can't accompany this message");
    }
    if (object.instance() != lent_->instance) {
      fail("it's an object of another instance");
    }
    plain(static_cast<std::uint32_t>(lent_->numbers.size()));
    lent_->numbers.push_back(object.number());
  }

  /// Enters a value that may contain others of its type.
  void enter() {
    if (++depth_ > max_depth) [[unlikely]] {
      fail_depth();
    }
  }
  void leave() noexcept { --depth_; }

  [[noreturn]] RUSTBRIDGE_COLD void fail(std::string what, Status status = Status::invalid_argument) const {
    throw Wrong{output_.size(), std::move(what), path_.path(), status};
  }

 private:
  [[noreturn]] RUSTBRIDGE_COLD void fail_depth() const {
    fail("the value is nested deeper than " + std::to_string(max_depth) + " levels, the limit of a message: reduce its nesting");
  }

  Output& output_;
  LentObjects* lent_;
  [[no_unique_address]] Path path_;
  std::size_t depth_ = 0;
};

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_WRITER_HPP

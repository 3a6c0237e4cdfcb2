/*
 * rustbridge_wire.hpp: typed values and the form in which they cross, for clients that `rustbridge gen --language cpp` writes.
 *
 * A user of such a client meets the types in `rustbridge`: numbers of 128 bits, UUIDs, times, dynamic values, and what enums are made
 * of. What is in `rustbridge::wire` is for generated code; docs/wire.md has the form. This file is written by hand.
 *
 * A value is written and read by the `Codec` of its type. Nothing is noted on the way for errors: where something is wrong, the value is
 * gone through once more, and the steps to it are counted then.
 */

#ifndef RUSTBRIDGE_WIRE_HPP
#define RUSTBRIDGE_WIRE_HPP

#include "rustbridge.hpp"

#include <compare>
#include <limits>
#include <map>
#include <ratio>
#include <tuple>

/* Kept out of the way of what goes well. */
#if defined(__GNUC__)
#define RUSTBRIDGE_COLD __attribute__((noinline, cold))
#elif defined(_MSC_VER)
#define RUSTBRIDGE_COLD __declspec(noinline)
#else
#define RUSTBRIDGE_COLD
#endif

namespace rustbridge {

/* ---- Numbers of 128 bits ---- */

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
        throw Error(Status::invalid_argument, "a number without a sign isn't negative");
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

/* ---- UUIDs and times ---- */

/// A UUID: its bytes in the order in which it's printed.
struct Uuid {
  std::array<std::uint8_t, 16> bytes{};

  /// As it's printed: `67e55044-10b1-426f-9247-bb680e5fe0c8`.
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

/// Durations that count parts of a second, or whole seconds.
template <class Span>
concept Ticks = std::integral<typename Span::rep> && std::is_signed_v<typename Span::rep> && Span::period::num == 1 &&
                nanoseconds_in_a_second % Span::period::den == 0;

/// Whole seconds, and the nanoseconds forwards from there. Divided here, since `std::chrono` would multiply the second before the earliest.
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

/// So many seconds and nanoseconds as ticks, which are cut. None: there are more than it can count.
template <Ticks Span, class Seconds>
std::optional<Span> ticks_of(Seconds seconds, std::uint32_t nanoseconds) noexcept {
  using Rep = typename Span::rep;
  constexpr auto in_a_second = static_cast<std::int64_t>(Span::period::den);
  constexpr auto most = static_cast<std::int64_t>((std::min<std::intmax_t>)((std::numeric_limits<Rep>::max)(), INT64_MAX));
  auto part = static_cast<std::int64_t>(nanoseconds) / (nanoseconds_in_a_second / in_a_second);
  if constexpr (std::is_signed_v<Seconds>) {
    // The second before, so that what is multiplied never lies below what fits.
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

/// A point in time, as exact as it crosses: `std::chrono`'s of nanoseconds hold some 292 years before and after 1970, and these are not bound
/// to that.
struct Timestamp {
  /// Since 1970-01-01T00:00:00Z.
  std::int64_t seconds = 0;
  /// Forwards from that second; less than a second.
  std::uint32_t nanoseconds = 0;

  constexpr Timestamp() noexcept = default;
  constexpr Timestamp(std::int64_t since_epoch, std::uint32_t part) noexcept : seconds(since_epoch), nanoseconds(part) {}
  template <detail::Ticks Span>
  Timestamp(std::chrono::sys_time<Span> time) noexcept {
    std::tie(seconds, nanoseconds) = detail::parts_of(time.time_since_epoch());
  }

  /// For `std::chrono`, cut to what that counts. `Error` with `out_of_range`: it can't count so far.
  template <class Span = std::chrono::nanoseconds>
    requires detail::Ticks<Span>
  std::chrono::sys_time<Span> to() const {
    if (auto ticks = detail::ticks_of<Span>(seconds, nanoseconds)) {
      return std::chrono::sys_time<Span>(*ticks);
    }
    throw Error(Status::out_of_range, "the point in time at " + std::to_string(seconds) + " s is beyond what these ticks can count");
  }

  friend constexpr bool operator==(const Timestamp&, const Timestamp&) noexcept = default;
  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) noexcept = default;
};

/// A span of time, which is never negative; as exact as it crosses.
struct Duration {
  std::uint64_t seconds = 0;
  /// Less than a second.
  std::uint32_t nanoseconds = 0;

  constexpr Duration() noexcept = default;
  constexpr Duration(std::uint64_t whole, std::uint32_t part) noexcept : seconds(whole), nanoseconds(part) {}
  /// `Error` with `invalid_argument`: it's negative.
  template <class Rep, class Period>
    requires detail::Ticks<std::chrono::duration<Rep, Period>>
  Duration(std::chrono::duration<Rep, Period> time) {
    if (time < time.zero()) {
      throw Error(Status::invalid_argument, "a duration isn't negative");
    }
    auto parts = detail::parts_of(time);
    seconds = static_cast<std::uint64_t>(parts.first);
    nanoseconds = parts.second;
  }

  /// For `std::chrono`, cut to what that counts. `Error` with `out_of_range`: it can't count so far.
  template <class Span = std::chrono::nanoseconds>
    requires detail::Ticks<Span>
  Span to() const {
    if (auto ticks = detail::ticks_of<Span>(seconds, nanoseconds)) {
      return *ticks;
    }
    throw Error(Status::out_of_range, "a duration of " + std::to_string(seconds) + " s is more than these ticks can count");
  }

  friend constexpr bool operator==(const Duration&, const Duration&) noexcept = default;
  friend constexpr auto operator<=>(const Duration&, const Duration&) noexcept = default;
};

/* ---- Values that have others inside ---- */

/// A value that has others of its kind inside, in memory of its own. Copies are copies of the value. One that was made by default, or moved
/// from, is empty: nothing can be asked of it, and it can't be sent.
template <class Value>
class Box {
 public:
  Box() noexcept = default;
  Box(Value value) : value_(std::make_unique<Value>(std::move(value))) {}
  Box(const Box& other) : value_(other.value_ ? std::make_unique<Value>(*other.value_) : nullptr) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    value_ = other.value_ ? std::make_unique<Value>(*other.value_) : nullptr;
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  explicit operator bool() const noexcept { return value_ != nullptr; }
  /// The value. `Error` with `failed_precondition`: it's empty.
  Value& operator*() { return some(); }
  const Value& operator*() const { return some(); }
  Value* operator->() { return &some(); }
  const Value* operator->() const { return &some(); }

  friend bool operator==(const Box& one, const Box& other) {
    return one.value_ && other.value_ ? *one.value_ == *other.value_ : !one.value_ && !other.value_;
  }

 private:
  Value& some() const {
    if (!value_) {
      throw Error(Status::failed_precondition, "there's nothing in the box: it was made without a value, or moved from");
    }
    return *value_;
  }

  std::unique_ptr<Value> value_;
};

/// An enum with data: one of these variants, to be told apart as `std::variant`'s are, or by `is` and `get_if`.
template <class... Variants>
struct OneOf : std::variant<Variants...> {
  using Base = std::variant<Variants...>;

  OneOf() = default;
  OneOf(const OneOf&) = default;
  OneOf(OneOf&&) = default;
  /// Taken out before what was here goes, in which it may have been: `tree = *tree.get_if<Node>()->left`.
  OneOf& operator=(OneOf other) noexcept(std::is_nothrow_move_assignable_v<Base>) {
    Base::operator=(static_cast<Base&&>(other));
    return *this;
  }
  ~OneOf() = default;
  template <class Variant>
    requires(std::same_as<std::remove_cvref_t<Variant>, Variants> || ...)
  OneOf(Variant&& one) : Base(std::in_place_type<std::remove_cvref_t<Variant>>, std::forward<Variant>(one)) {}

  /// Whether it's this variant.
  template <class Variant>
  bool is() const noexcept {
    return std::holds_alternative<Variant>(base());
  }
  /// This variant's fields; null if it's another.
  template <class Variant>
  const Variant* get_if() const noexcept {
    return std::get_if<Variant>(&base());
  }
  template <class Variant>
  Variant* get_if() noexcept {
    return std::get_if<Variant>(static_cast<Base*>(this));
  }

 private:
  const Base& base() const noexcept { return *this; }
};

namespace wire {

template <class Value>
struct Codec;

}  // namespace wire

/// A value that says itself what it is: what JSON has, and bytes. An integer is a `std::int64_t`, and a `std::uint64_t` only above what that
/// holds.
class Dynamic {
 public:
  using Bytes = std::vector<std::byte>;
  using List = std::vector<Dynamic>;
  using Map = std::map<std::string, Dynamic, std::less<>>;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Bytes, List, Map>;

  /// Null.
  Dynamic() noexcept = default;
  Dynamic(const Dynamic&) = default;
  Dynamic(Dynamic&&) noexcept = default;
  /// Taken out before what was here goes, in which it may have been: `value = (*value.get_if<List>())[0]`.
  Dynamic& operator=(Dynamic other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Dynamic() = default;
  Dynamic(std::nullptr_t) noexcept {}
  template <std::same_as<bool> Bool>
  Dynamic(Bool value) noexcept : value_(value) {}
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  Dynamic(Number number) noexcept {
    if constexpr (std::is_signed_v<Number>) {
      value_ = static_cast<std::int64_t>(number);
    } else if (number <= static_cast<std::uint64_t>(INT64_MAX)) {
      value_ = static_cast<std::int64_t>(number);
    } else {
      value_ = static_cast<std::uint64_t>(number);
    }
  }
  template <std::floating_point Number>
  Dynamic(Number number) noexcept : value_(static_cast<double>(number)) {}
  Dynamic(std::string text) noexcept : value_(std::move(text)) {}
  Dynamic(std::string_view text) : value_(std::string(text)) {}
  Dynamic(const char* text) : value_(std::string(text)) {}
  Dynamic(Bytes bytes) noexcept : value_(std::move(bytes)) {}
  Dynamic(List items) noexcept : value_(std::move(items)) {}
  Dynamic(Map pairs) noexcept : value_(std::move(pairs)) {}

  bool is_null() const noexcept { return std::holds_alternative<std::nullptr_t>(value_); }
  /// What it is, as one of the types of `Value`; null if it's another.
  template <class One>
  const One* get_if() const noexcept {
    return std::get_if<One>(&value_);
  }
  /// All that it may be, to be visited.
  const Value& value() const noexcept { return value_; }

  friend bool operator==(const Dynamic& one, const Dynamic& other) { return one.value_ == other.value_; }

 private:
  friend struct wire::Codec<Dynamic>;

  Value value_ = nullptr;
};

namespace wire {

/// How deep values may lie in each other.
inline constexpr std::size_t max_depth = 128;
/// How many bytes a message has at most, and how many items a list.
inline constexpr std::size_t max_bytes = 0x7FFF'FFF7;
/// The variant that an open enum has in place of those that a client doesn't know.
inline constexpr std::uint16_t unknown_variant = 0xFFFF;

static_assert(std::endian::native == std::endian::little, "what lies in memory as it crosses is little-endian");

/// Text as an argument of a template.
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

/// Whether a text is ASCII: eight bytes at a time, the last eight of them overlapping those before.
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

/// How much of a text is UTF-8.
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

/// What is wrong, as whoever goes through a value throws it.
struct Wrong {
  /// At which byte.
  std::size_t at;
  std::string what;
  /// The steps to it, of one that counts them.
  std::string path{};
  Status status = Status::invalid_argument;
};

/// The steps to a value. Those that were taken last stay where something is wrong.
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

/// In place of steps, for all that goes well.
class NoSteps {
 public:
  static constexpr bool are_counted = false;

  void field(std::string_view) noexcept {}
  void item(std::size_t) noexcept {}
  void back() noexcept {}
  std::string path() const { return {}; }
};

/* ---- Writing ---- */

namespace detail {

/// Memory that a thread keeps for its next message that is larger than the stack's.
struct Spare {
  static constexpr std::size_t most = std::size_t{1} << 20;

  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;

  ~Spare() { gone() = true; }

  /// Whether the thread is ending and this is no more.
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

/// The bytes of a message as they are written: on the stack while they are few.
class Output {
 public:
  Output() noexcept : begin_(own_), at_(own_), end_(own_ + sizeof own_) {
    // The rest is left as it is until it's written. Compilers that see nothing written warn of what is read, which are no bytes then.
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

  /// Room for so many bytes, which are written.
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
      throw Wrong{used, "the message would have more than " + std::to_string(max_bytes) + " bytes", {}, Status::resource_exhausted};
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
  /// Objects that it finds, which are all of one instance's, are lent behind those that are there already.
  Writer(Output& output, std::vector<rb_object>* objects, rb_instance instance, Path path = Path())
      : output_(output), objects_(objects), instance_(instance), path_(std::move(path)) {}

  Path& path() noexcept { return path_; }

  /// Values one behind the other, for which room is looked for once.
  template <class... Values>
  void plain(const Values&... values) {
    std::byte* at = output_.room((sizeof values + ...));
    ((std::memcpy(at, &values, sizeof values), at += sizeof values), ...);
  }
  void bytes(const void* data, std::size_t size) { rustbridge::detail::copy(output_.room(size), data, size); }
  void count(std::size_t items) {
    if (items > max_bytes) [[unlikely]] {
      fail("there are more than " + std::to_string(max_bytes) + " items", Status::resource_exhausted);
    }
    plain(static_cast<std::uint32_t>(items));
  }
  /// Zeros up to a multiple of 8.
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
    if (object.instance() != instance_) {
      fail("it's an object of another instance");
    }
    if (objects_ == nullptr) {
      fail("no object can go with it");
    }
    plain(static_cast<std::uint32_t>(objects_->size()));
    objects_->push_back(object.number());
  }

  /// Goes into a value that may have others of its kind inside.
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
    fail("more than " + std::to_string(max_depth) + " values lie in each other");
  }

  Output& output_;
  std::vector<rb_object>* objects_;
  rb_instance instance_;
  [[no_unique_address]] Path path_;
  std::size_t depth_ = 0;
};

/* ---- Reading ---- */

/// What objects that come belong to: what their client keeps.
using Context = std::shared_ptr<const void>;

/// Reads a message. Nothing beyond it is touched, whatever its bytes are.
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

  /// So many bytes, which are read.
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
  /// How many items come, each of at least so many bytes.
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
      fail("object " + std::to_string(position) + " is meant, and " + std::to_string(objects_.size()) + " came, counted from 0",
           sizeof position);
    }
    if (is_taken(position)) {
      fail("object " + std::to_string(position) + " is meant twice", sizeof position);
    }
    if constexpr (Path::are_counted) {
      // The first time they were taken, and they went with what was made of them.
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
  /// For how many items room is made before they come: deep down each level would claim for itself what is left.
  std::size_t room(std::size_t count) const noexcept { return depth_ < 16 ? count : (std::min)(count, std::size_t{64}); }

  /// Throws what is wrong, so many bytes before where this is.
  [[noreturn]] RUSTBRIDGE_COLD void fail(std::string what, std::size_t before = 0) const {
    throw Wrong{static_cast<std::size_t>(at_ - begin_) - before, std::move(what), path_.path()};
  }

 private:
  [[noreturn]] RUSTBRIDGE_COLD void fail_short(std::size_t size) const {
    fail(std::to_string(size) + " bytes are expected, and " + std::to_string(left()) + " are left");
  }
  [[noreturn]] RUSTBRIDGE_COLD void fail_boolean(std::uint8_t found) const { fail(std::to_string(found) + " is neither 0 nor 1", 1); }
  [[noreturn]] RUSTBRIDGE_COLD void fail_count(std::uint32_t items) const {
    fail(std::to_string(items) + " items are announced, and " + std::to_string(left()) + " bytes are left", sizeof items);
  }
  [[noreturn]] RUSTBRIDGE_COLD void fail_left_over() const { fail(std::to_string(left()) + " bytes are left over"); }
  [[noreturn]] RUSTBRIDGE_COLD void fail_depth() const {
    fail("more than " + std::to_string(max_depth) + " values lie in each other");
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

/* ---- Codecs of values ---- */

/// What writes and reads values of a type. Each has
/// * `least`: the fewest bytes that a value takes;
/// * `is_plain`: values lie in memory as they cross, whatever their bytes are;
/// * `is_aligned`: a list of them begins at a multiple of 8. What is aligned is plain.
template <class Value>
struct Codec;

template <std::size_t Least>
struct Traits {
  static constexpr std::size_t least = Least;
  static constexpr bool is_plain = false;
  static constexpr bool is_aligned = false;
};

/// What lies in memory as it crosses.
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

/// A struct that lies in memory as it crosses.
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
struct Codec<Timestamp> : Traits<12> {
  template <class Out>
  static void write(Out& out, const Timestamp& value) {
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      out.fail("its nanoseconds are a second or more");
    }
    out.plain(value.seconds);
    out.plain(value.nanoseconds);
  }
  template <class In>
  static void read(In& in, Timestamp& value) {
    in.plain(value.seconds);
    in.plain(value.nanoseconds);
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      in.fail("its nanoseconds are a second or more", sizeof value.nanoseconds);
    }
  }
};

template <>
struct Codec<Duration> : Traits<12> {
  template <class Out>
  static void write(Out& out, const Duration& value) {
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      out.fail("its nanoseconds are a second or more");
    }
    out.plain(value.seconds);
    out.plain(value.nanoseconds);
  }
  template <class In>
  static void read(In& in, Duration& value) {
    in.plain(value.seconds);
    in.plain(value.nanoseconds);
    if (value.nanoseconds >= rustbridge::detail::nanoseconds_in_a_second) {
      in.fail("its nanoseconds are a second or more", sizeof value.nanoseconds);
    }
  }
};

/// An option, and a field that may be left to the plugin's default.
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
      out.fail("there's nothing in the box");
    }
    Codec<Value>::write(out, *value);
  }
  template <class In>
  static void read(In& in, Box<Value>& value) {
    value = Box<Value>(Value());
    Codec<Value>::read(in, *value);
  }
};

/* ---- Codecs of lists and maps ---- */

/// Those that lie in a row.
template <class Item>
struct Codec<std::span<const Item>> : Traits<4> {
  template <class Out>
  static void write(Out& out, std::span<const Item> items) {
    out.count(items.size());
    if constexpr (Codec<Item>::is_plain) {
      if constexpr (Codec<Item>::is_aligned) {
        out.align();
      }
      out.bytes(items.data(), items.size_bytes());
    } else {
      std::size_t place = 0;
      for (const Item& item : items) {
        out.path().item(place++);
        Codec<Item>::write(out, item);
        out.path().back();
      }
    }
  }
};

template <class Item>
struct Codec<std::vector<Item>> : Traits<4> {
  template <class Out>
  static void write(Out& out, const std::vector<Item>& items) {
    if constexpr (std::same_as<Item, bool>) {
      out.count(items.size());
      for (bool item : items) {
        Codec<bool>::write(out, item);
      }
    } else {
      Codec<std::span<const Item>>::write(out, items);
    }
  }

  template <class In>
  static void read(In& in, std::vector<Item>& items) {
    std::size_t count = in.count(Codec<Item>::least);
    if constexpr (Codec<Item>::is_plain) {
      if constexpr (Codec<Item>::is_aligned) {
        in.align();
      }
      const std::uint8_t* from = in.take(count * sizeof(Item));
      if (reinterpret_cast<std::uintptr_t>(from) % alignof(Item) == 0) {
        // The bytes of a message are whatever objects they are taken for, as all arrays of bytes are.
        const auto* first = reinterpret_cast<const Item*>(from);
        items.assign(first, first + count);
      } else {
        items.resize(count);
        rustbridge::detail::copy(items.data(), from, count * sizeof(Item));
      }
    } else {
      items.clear();
      items.reserve(in.room(count));
      for (std::size_t place = 0; place < count; ++place) {
        in.path().item(place);
        if constexpr (std::same_as<Item, bool>) {
          items.push_back(in.boolean());
        } else {
          Codec<Item>::read(in, items.emplace_back());
        }
        in.path().back();
      }
    }
  }
};

template <>
struct Codec<std::span<const std::byte>> : Traits<4> {
  template <class Out>
  static void write(Out& out, std::span<const std::byte> bytes) {
    out.count(bytes.size());
    out.bytes(bytes.data(), bytes.size());
  }
};

template <>
struct Codec<std::vector<std::byte>> : Codec<std::span<const std::byte>> {
  template <class In>
  static void read(In& in, std::vector<std::byte>& bytes) {
    std::size_t count = in.count(1);
    const auto* from = reinterpret_cast<const std::byte*>(in.take(count));
    bytes.assign(from, from + count);
  }
};

template <class Item, std::size_t Length>
struct Codec<std::array<Item, Length>> {
  static constexpr std::size_t least = Length * Codec<Item>::least;
  static constexpr bool is_plain = Codec<Item>::is_plain;
  static constexpr bool is_aligned = Codec<Item>::is_aligned;

  template <class Out>
  static void write(Out& out, const std::array<Item, Length>& items) {
    if constexpr (is_plain) {
      out.bytes(items.data(), Length * sizeof(Item));
    } else {
      std::size_t place = 0;
      for (const Item& item : items) {
        out.path().item(place++);
        Codec<Item>::write(out, item);
        out.path().back();
      }
    }
  }
  template <class In>
  static void read(In& in, std::array<Item, Length>& items) {
    if constexpr (is_plain) {
      rustbridge::detail::copy(items.data(), in.take(Length * sizeof(Item)), Length * sizeof(Item));
    } else {
      std::size_t place = 0;
      for (Item& item : items) {
        in.path().item(place++);
        Codec<Item>::read(in, item);
        in.path().back();
      }
    }
  }
};

template <class Key, class Value>
struct Codec<std::map<Key, Value>> : Traits<4> {
  template <class Out>
  static void write(Out& out, const std::map<Key, Value>& pairs) {
    out.count(pairs.size());
    std::size_t place = 0;
    for (const auto& [key, value] : pairs) {
      out.path().item(place++);
      Codec<Key>::write(out, key);
      Codec<Value>::write(out, value);
      out.path().back();
    }
  }
  template <class In>
  static void read(In& in, std::map<Key, Value>& pairs) {
    pairs.clear();
    std::size_t count = in.count(Codec<Key>::least + Codec<Value>::least);
    for (std::size_t place = 0; place < count; ++place) {
      in.path().item(place);
      std::size_t before = in.left();
      Key key{};
      Codec<Key>::read(in, key);
      auto [at, is_new] = pairs.try_emplace(std::move(key));
      if (!is_new) {
        in.fail("a key twice", before - in.left());
      }
      Codec<Value>::read(in, at->second);
      in.path().back();
    }
  }
};

template <class... Values>
struct Codec<std::tuple<Values...>> {
  static constexpr std::size_t least = (std::size_t{0} + ... + Codec<Values>::least);
  static constexpr bool is_plain = false;
  static constexpr bool is_aligned = false;

  template <class Out>
  static void write(Out& out, const std::tuple<Values...>& values) {
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      (write_one<Values>(out, std::get<Place>(values), Place), ...);
    }(std::index_sequence_for<Values...>());
  }
  template <class In>
  static void read(In& in, std::tuple<Values...>& values) {
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      (read_one<Values>(in, std::get<Place>(values), Place), ...);
    }(std::index_sequence_for<Values...>());
  }

 private:
  template <class Value, class Out>
  static void write_one(Out& out, const Value& value, std::size_t place) {
    out.path().item(place);
    Codec<Value>::write(out, value);
    out.path().back();
  }
  template <class Value, class In>
  static void read_one(In& in, Value& value, std::size_t place) {
    in.path().item(place);
    Codec<Value>::read(in, value);
    in.path().back();
  }
};

/* ---- Codecs of types with names ---- */

/// A field: what JSON calls it, and where it is.
template <Name name, auto Member>
struct Field {
  template <class Out, class Value>
  static void write(Out& out, const Value& value) {
    out.path().field(name.view());
    Codec<std::remove_cvref_t<decltype(value.*Member)>>::write(out, value.*Member);
    out.path().back();
  }
  template <class In, class Value>
  static void read(In& in, Value& value) {
    in.path().field(name.view());
    Codec<std::remove_cvref_t<decltype(value.*Member)>>::read(in, value.*Member);
    in.path().back();
  }
};

/// The fields of a variant.
template <class Value, class... Fields>
struct Variant {
  template <class Out>
  static void write([[maybe_unused]] Out& out, [[maybe_unused]] const Value& value) {
    (Fields::write(out, value), ...);
  }
  template <class In>
  static void read([[maybe_unused]] In& in, [[maybe_unused]] Value& value) {
    (Fields::read(in, value), ...);
  }
};

/// Whether values of a type can have others of the type inside: those that all take as many bytes can't.
enum class Size { fixed, varies };

template <class Value, std::size_t Least, Size size, class... Fields>
struct Record : Traits<Least> {
  template <class Out>
  static void write(Out& out, const Value& value) {
    if constexpr (size == Size::varies) {
      out.enter();
    }
    Variant<Value, Fields...>::write(out, value);
    if constexpr (size == Size::varies) {
      out.leave();
    }
  }
  template <class In>
  static void read(In& in, Value& value) {
    if constexpr (size == Size::varies) {
      in.enter();
    }
    Variant<Value, Fields...>::read(in, value);
    if constexpr (size == Size::varies) {
      in.leave();
    }
  }
};

/// Whether there may be variants that a client doesn't know; the last one of its own stands for them.
enum class Variants { closed, open };

namespace detail {

template <class... All>
std::variant<All...> variants_of(const std::variant<All...>&);

template <class In>
std::uint16_t variant_of(In& in, std::size_t count, Variants variants) {
  std::uint16_t found = 0;
  in.plain(found);
  if (variants == Variants::open && found == unknown_variant) {
    return found;
  }
  if (found >= count) [[unlikely]] {
    in.fail("there's no variant " + std::to_string(found), sizeof found);
  }
  return found;
}

}  // namespace detail

/// An enum with data, a `OneOf`.
template <class Value, std::size_t Least, Size size, Variants variants = Variants::closed>
struct Enum : Traits<Least> {
  template <class Out>
  static void write(Out& out, const Value& value) {
    using All = decltype(detail::variants_of(value));
    std::size_t index = value.index();
    if (index >= known<All>) [[unlikely]] {
      out.fail(value.valueless_by_exception() ? "it's no variant" : "a variant that isn't known can't be sent");
    }
    out.plain(static_cast<std::uint16_t>(index));
    if constexpr (size == Size::varies) {
      out.enter();
    }
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      static_cast<void>(
          ((index == Place && (Codec<std::variant_alternative_t<Place, All>>::write(out, *std::get_if<Place>(&value)), true)) || ...));
    }(std::make_index_sequence<known<All>>());
    if constexpr (size == Size::varies) {
      out.leave();
    }
  }
  template <class In>
  static void read(In& in, Value& value) {
    using All = decltype(detail::variants_of(value));
    if constexpr (size == Size::varies) {
      in.enter();
    }
    std::size_t found = detail::variant_of(in, known<All>, variants);
    if constexpr (variants == Variants::open) {
      if (found == unknown_variant) {
        value.template emplace<known<All>>();
      }
    }
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      static_cast<void>(((found == Place && (Codec<std::variant_alternative_t<Place, All>>::read(in, value.template emplace<Place>()),
                                             true)) ||
                         ...));
    }(std::make_index_sequence<known<All>>());
    if constexpr (size == Size::varies) {
      in.leave();
    }
  }

 private:
  template <class All>
  static constexpr std::size_t known = std::variant_size_v<All> - (variants == Variants::open ? 1 : 0);
};

/// An enum without data, with so many variants.
template <class Value, std::uint16_t count, Variants variants = Variants::closed>
struct Choice : Traits<2> {
  template <class Out>
  static void write(Out& out, Value value) {
    auto variant = static_cast<std::uint16_t>(value);
    if (variant >= count) [[unlikely]] {
      out.fail(variants == Variants::open && variant == unknown_variant ? "a variant that isn't known can't be sent"
                                                                        : "there's no variant " + std::to_string(variant));
    }
    out.plain(variant);
  }
  template <class In>
  static void read(In& in, Value& value) {
    value = static_cast<Value>(detail::variant_of(in, count, variants));
  }
};

/* ---- Arguments ---- */

/// What a method takes one by one: a record, on the way. It refers to them.
template <Name... names>
struct Names {};

template <class Of, class... Values>
struct Arguments {
  std::tuple<const Values&...> values;
};

/// Several arguments as a request.
template <Name... names, class... Values>
Arguments<Names<names...>, Values...> arguments(const Values&... values) noexcept {
  return {std::tuple<const Values&...>(values...)};
}

template <Name... names, class... Values>
struct Codec<Arguments<Names<names...>, Values...>> {
  template <class Out>
  static void write(Out& out, const Arguments<Names<names...>, Values...>& arguments) {
    out.enter();
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      (one<Values>(out, names.view(), std::get<Place>(arguments.values)), ...);
    }(std::index_sequence_for<Values...>());
    out.leave();
  }

 private:
  template <class Value, class Out>
  static void one(Out& out, std::string_view name, const Value& value) {
    out.path().field(name);
    Codec<Value>::write(out, value);
    out.path().back();
  }
};

/* ---- Codecs of dynamic values ---- */

template <>
struct Codec<Dynamic> : Traits<1> {
  template <class Out>
  static void write(Out& out, const Dynamic& value) {
    std::visit([&](const auto& one) { write_one(out, one); }, value.value());
  }

  template <class In>
  static void read(In& in, Dynamic& value) {
    std::uint8_t kind = 0;
    in.plain(kind);
    switch (kind) {
      case 0: make<std::nullptr_t>(value); break;
      case 1: make<bool>(value, false); break;
      case 2: make<bool>(value, true); break;
      case 3: in.plain(make<std::int64_t>(value)); break;
      case 4: {
        auto& found = make<std::uint64_t>(value);
        in.plain(found);
        if (found <= static_cast<std::uint64_t>(INT64_MAX)) {
          in.fail("an integer that an i64 holds is one", sizeof found);
        }
        break;
      }
      case 5: in.plain(make<double>(value)); break;
      case 6: make<std::string>(value, in.text()); break;
      case 7: Codec<Dynamic::Bytes>::read(in, make<Dynamic::Bytes>(value)); break;
      case 8: {
        in.enter();
        Codec<Dynamic::List>::read(in, make<Dynamic::List>(value));
        in.leave();
        break;
      }
      case 9: read_map(in, make<Dynamic::Map>(value)); break;
      default: in.fail("there's no dynamic value of kind " + std::to_string(kind), sizeof kind);
    }
  }

 private:
  /// Made where it stays: one that is made elsewhere and moved there costs several times what most of them do.
  template <class One, class... From>
  static One& make(Dynamic& value, From&&... from) {
    return value.value_.emplace<One>(std::forward<From>(from)...);
  }

  template <class In>
  static void read_map(In& in, Dynamic::Map& pairs) {
    in.enter();
    // A name and a null.
    std::size_t count = in.count(5);
    for (std::size_t place = 0; place < count; ++place) {
      in.path().item(place);
      std::size_t before = in.left();
      std::string name(in.text());
      in.path().back();
      in.path().field(name);
      auto [at, is_new] = pairs.try_emplace(std::move(name));
      if (!is_new) {
        in.fail("a key twice", before - in.left());
      }
      read(in, at->second);
      in.path().back();
    }
    in.leave();
  }

  /// What it is, and the number that it is.
  template <class Out, class... Number>
  static void kind(Out& out, std::uint8_t kind, Number... number) {
    out.plain(kind, number...);
  }
  template <class Out>
  static void write_one(Out& out, std::nullptr_t) {
    kind(out, 0);
  }
  template <class Out>
  static void write_one(Out& out, bool value) {
    kind(out, value ? 2 : 1);
  }
  template <class Out>
  static void write_one(Out& out, std::int64_t number) {
    kind(out, 3, number);
  }
  template <class Out>
  static void write_one(Out& out, std::uint64_t number) {
    kind(out, 4, number);
  }
  template <class Out>
  static void write_one(Out& out, double number) {
    kind(out, 5, number);
  }
  template <class Out>
  static void write_one(Out& out, const std::string& text) {
    kind(out, 6);
    out.text(text);
  }
  template <class Out>
  static void write_one(Out& out, const Dynamic::Bytes& bytes) {
    kind(out, 7);
    Codec<Dynamic::Bytes>::write(out, bytes);
  }
  template <class Out>
  static void write_one(Out& out, const Dynamic::List& items) {
    kind(out, 8);
    out.enter();
    Codec<Dynamic::List>::write(out, items);
    out.leave();
  }
  template <class Out>
  static void write_one(Out& out, const Dynamic::Map& pairs) {
    kind(out, 9);
    out.enter();
    out.count(pairs.size());
    for (const auto& [name, value] : pairs) {
      out.path().field(name);
      out.text(name);
      write(out, value);
      out.path().back();
    }
    out.leave();
  }
};

/* ---- Messages ---- */

namespace detail {

[[noreturn]] RUSTBRIDGE_COLD inline void refuse(const Wrong& wrong, Status status, std::string_view method, std::string_view first,
                                                bool is_answer) {
  std::string path(wrong.path.empty() ? first : std::string_view(wrong.path));
  std::string details = "{\"path\":";
  rustbridge::detail::append_json_text(details, path);
  details += '}';
  if (is_answer) {
    throw Error(status,
                std::string(method) + ": the plugin's answer isn't of its type: byte " + std::to_string(wrong.at) + ": " + wrong.what +
                    " (" + path + ")",
                "rustbridge.InvalidResponse", details);
  }
  throw Error(status, std::string(method) + ": " + path + ": " + wrong.what, "rustbridge.InvalidRequest", details);
}

/// Goes through a value once more, for the path of what is wrong with it.
template <class Value>
[[noreturn]] RUSTBRIDGE_COLD void refuse_request(Wrong wrong, const Value& value, std::string_view method, std::string_view first,
                                                 std::vector<rb_object>* objects, rb_instance instance) {
  try {
    Output again;
    Writer<Steps> writer(again, objects, instance, Steps(std::string(first)));
    Codec<Value>::write(writer, value);
  } catch (const Wrong& with_path) {
    wrong = with_path;
  }
  refuse(wrong, wrong.status, method, first, false);
}

/// The same for a message.
template <class Value>
[[noreturn]] RUSTBRIDGE_COLD void refuse_answer(Wrong wrong, BytesView message, std::string_view method, std::string_view first,
                                                std::span<Object> objects) {
  try {
    Reader<Steps> reader(message, objects, nullptr, Steps(std::string(first)));
    Value value{};
    Codec<Value>::read(reader, value);
    reader.end();
  } catch (const Wrong& with_path) {
    wrong = with_path;
  }
  refuse(wrong, Status::internal, method, first, true);
}

}  // namespace detail

/// Writes a message. `Error` with `invalid_argument` names the field that doesn't fit, below `first`. Objects in it are lent behind those that
/// are there already, and have to be the instance's.
template <class Value>
void encode(Output& output, const Value& value, std::string_view method, std::string_view first,
            std::vector<rb_object>* objects = nullptr, rb_instance instance = 0) {
  try {
    Writer<NoSteps> writer(output, objects, instance);
    Codec<Value>::write(writer, value);
  } catch (const Wrong& wrong) {
    detail::refuse_request(wrong, value, method, first, objects, instance);
  }
}

/// Reads a message. `Error` with `internal` names the field at which it isn't of its type, below `first`.
template <class Value>
Value decode(BytesView message, std::string_view method, std::string_view first, std::span<Object> objects = {},
             const Context* context = nullptr) {
  try {
    Reader<NoSteps> reader(message, objects, context);
    Value value{};
    Codec<Value>::read(reader, value);
    reader.end();
    return value;
  } catch (const Wrong& wrong) {
    detail::refuse_answer<Value>(wrong, message, method, first, objects);
  }
}

}  // namespace wire

}  // namespace rustbridge

#undef RUSTBRIDGE_COLD

#endif  // RUSTBRIDGE_WIRE_HPP

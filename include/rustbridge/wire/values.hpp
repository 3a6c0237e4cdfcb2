/* Part of rustbridge_wire.hpp. Values that have others inside: boxes, enums with data, dynamic values. */
#ifndef RUSTBRIDGE_WIRE_VALUES_HPP
#define RUSTBRIDGE_WIRE_VALUES_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../error.hpp"

namespace rustbridge {

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

}  // namespace rustbridge

#endif  // RUSTBRIDGE_WIRE_VALUES_HPP

/* Part of rustbridge_wire.hpp. Values that contain others: boxes, enums with data, dynamic values. */
#ifndef RUSTBRIDGE_WIRE_VALUES_HPP
#define RUSTBRIDGE_WIRE_VALUES_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../error.hpp"

namespace rustbridge {

/// Owns a value in memory of its own, so that a type can contain itself. A copy of a box copies the value. A box that was
/// default-constructed or moved from is empty: accessing its value throws, and it can't be sent.
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
  /// Returns the value. `Error` with `failed_precondition`: the box is empty.
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
      throw Error(Status::failed_precondition, "the box is empty: it was created without a value, or moved from");
    }
    return *value_;
  }

  std::unique_ptr<Value> value_;
};

namespace detail {

/* The operations on one variant, independent of the other variants. The functions of `std::variant` have all variants in their names. With
   those, the memory that the compiler needs for each variant would grow with the number of variants. */
template <class One>
struct Alternative {
  static void copy(void* at, const void* from) { ::new (at) One(*static_cast<const One*>(from)); }
  static void move(void* at, void* from) noexcept { ::new (at) One(std::move(*static_cast<One*>(from))); }
  static void destroy(void* at) noexcept { static_cast<One*>(at)->~One(); }
  static bool equal(const void* one, const void* other) { return *static_cast<const One*>(one) == *static_cast<const One*>(other); }
  template <class Result, class Visitor, class Pointer>
  static Result visit(Visitor& visitor, Pointer at) {
    using Seen = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const One, One>;
    static_assert(std::same_as<Result, std::invoke_result_t<Visitor, Seen&>>, "a visitor returns the same type for all variants");
    return std::forward<Visitor>(visitor)(*static_cast<Seen*>(at));
  }
};

/// Access to the memory of a `OneOf`, for the codec that reads it.
struct VariantPlace {
  void* at;
  std::uint16_t* index;
  void (*destroy)(std::uint16_t, void*) noexcept;

  /// Replaces the value by a default-constructed variant, whose index is `place`.
  template <class One>
  One& begin(std::uint16_t place) const {
    if constexpr (std::is_nothrow_default_constructible_v<One>) {
      destroy(*index, at);
      ::new (at) One();
    } else {
      // Constructed before the old value is destroyed, so that there's a value even if the constructor throws.
      One one{};
      destroy(*index, at);
      Alternative<One>::move(at, &one);
    }
    *index = place;
    return *static_cast<One*>(at);
  }
};

template <class First, class...>
struct FirstOf {
  using Type = First;
};

/// Calls the function at an index. Up to 16 functions are compared one after the other, so that they can be inlined. More are in a table.
template <auto first, auto... others, class... Arguments>
auto choose(std::size_t place, Arguments&&... arguments) {
  using Result = decltype(first(arguments...));
  if constexpr (sizeof...(others) >= 16) {
    static constexpr decltype(first) all[] = {first, others...};
    return all[place](arguments...);
  } else if constexpr (std::is_void_v<Result>) {
    std::size_t at = 0;
    static_cast<void>((place == 0 && (first(arguments...), true)) || ((place == ++at && (others(arguments...), true)) || ...));
  } else {
    std::size_t at = 0;
    Result result{};
    static_cast<void>((place == 0 && (result = first(arguments...), true)) ||
                      ((place == ++at && (result = others(arguments...), true)) || ...));
    return result;
  }
}

}  // namespace detail

/// An enum with data: one of these variants. `is`, `get_if` and `visit` distinguish them. The default is the first variant.
template <class... Variants>
class OneOf {
 public:
  OneOf() { ::new (storage_) First(); }
  OneOf(const OneOf& other)
    requires(std::is_copy_constructible_v<Variants> && ...)
      : index_(other.index_) {
    detail::choose<&detail::Alternative<Variants>::copy...>(index_, storage_, other.storage_);
  }
  OneOf(OneOf&& other) noexcept : index_(other.index_) { take(other); }
  /// Assigns a copy, so the new value may be part of the old one: `tree = *tree.get_if<Node>()->left`.
  OneOf& operator=(OneOf other) noexcept {
    destroy(index_, storage_);
    index_ = other.index_;
    take(other);
    return *this;
  }
  ~OneOf() { destroy(index_, storage_); }
  template <class Variant>
    requires(std::same_as<std::remove_cvref_t<Variant>, Variants> || ...)
  OneOf(Variant&& one) : index_(place<std::remove_cvref_t<Variant>>()) {
    ::new (storage_) std::remove_cvref_t<Variant>(std::forward<Variant>(one));
  }

  /// Reports whether it's this variant.
  template <class Variant>
  bool is() const noexcept {
    return index_ == place<Variant>();
  }
  /// Returns the fields of this variant; null if it's another one.
  template <class Variant>
  const Variant* get_if() const noexcept {
    return is<Variant>() ? static_cast<const Variant*>(static_cast<const void*>(storage_)) : nullptr;
  }
  template <class Variant>
  Variant* get_if() noexcept {
    return is<Variant>() ? static_cast<Variant*>(static_cast<void*>(storage_)) : nullptr;
  }
  /// Calls a function with the variant, and returns its result. The function must accept each variant, and return the same type for all.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return visited<std::invoke_result_t<Visitor, const First&>, Visitor>(visitor, static_cast<const void*>(storage_));
  }
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) {
    return visited<std::invoke_result_t<Visitor, First&>, Visitor>(visitor, static_cast<void*>(storage_));
  }
  /// Returns the index of the variant, from 0.
  std::size_t index() const noexcept { return index_; }

  friend bool operator==(const OneOf& one, const OneOf& other) {
    return one.index_ == other.index_ &&
           detail::choose<&detail::Alternative<Variants>::equal...>(one.index_, one.storage_, other.storage_);
  }

  /// For codecs that read a value.
  detail::VariantPlace variant_place() noexcept { return {storage_, &index_, &destroy}; }
  /// For codecs that write the value.
  const void* data() const noexcept { return storage_; }

 private:
  using First = typename detail::FirstOf<Variants...>::Type;

  template <class Variant>
  static consteval std::uint16_t place() {
    std::uint16_t at = 0;
    bool is_found = ((std::same_as<Variant, Variants> || (++at, false)) || ...);
    return is_found ? at : throw "the type isn't one of the variants";
  }
  template <class Result, class Visitor, class Pointer>
  Result visited(Visitor& visitor, Pointer at) const {
    static constexpr Result (*visits[])(Visitor&, Pointer) = {&detail::Alternative<Variants>::template visit<Result, Visitor, Pointer>...};
    return visits[index_](visitor, at);
  }

  void take(OneOf& other) noexcept { detail::choose<&detail::Alternative<Variants>::move...>(index_, storage_, other.storage_); }
  static void destroy(std::uint16_t index, void* at) noexcept {
    if constexpr (!(std::is_trivially_destructible_v<Variants> && ...)) {
      detail::choose<&detail::Alternative<Variants>::destroy...>(index, at);
    }
  }

  alignas(Variants...) std::byte storage_[std::max({sizeof(Variants)...})];
  std::uint16_t index_ = 0;
};

namespace wire {

template <class Value>
struct Codec;

}  // namespace wire

/// A value whose type is known only at run time: any value of JSON, or bytes. An integer is a `std::int64_t`; one that is too large for it
/// is a `std::uint64_t`.
class Dynamic {
 public:
  using Bytes = std::vector<std::byte>;
  using List = std::vector<Dynamic>;
  using Map = std::map<std::string, Dynamic, std::less<>>;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Bytes, List, Map>;

  /// Creates null.
  Dynamic() noexcept = default;
  Dynamic(const Dynamic&) = default;
  Dynamic(Dynamic&&) noexcept = default;
  /// Assigns a copy, so the new value may be part of the old one: `value = (*value.get_if<List>())[0]`.
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
  /// Returns the value as one of the types of `Value`; null if it has another type.
  template <class One>
  const One* get_if() const noexcept {
    return std::get_if<One>(&value_);
  }
  /// Returns the value as a variant, for `std::visit`.
  const Value& value() const noexcept { return value_; }

  friend bool operator==(const Dynamic& one, const Dynamic& other) { return one.value_ == other.value_; }

 private:
  friend struct wire::Codec<Dynamic>;

  Value value_ = nullptr;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_WIRE_VALUES_HPP

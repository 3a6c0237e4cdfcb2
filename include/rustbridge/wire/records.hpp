/* Part of rustbridge_wire.hpp. Codecs of named types, and of several arguments. */
#ifndef RUSTBRIDGE_WIRE_RECORDS_HPP
#define RUSTBRIDGE_WIRE_RECORDS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "codec.hpp"
#include "values.hpp"

namespace rustbridge::wire {

/// A field: its name in JSON, and its member.
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

/// A field with a default value, which is that of a new struct: it's always sent, and keeps the value if the message doesn't have it.
template <Name name, auto Member>
struct DefaultField {
  template <class Out, class Value>
  static void write(Out& out, const Value& value) {
    Codec<bool>::write(out, true);
    Field<name, Member>::write(out, value);
  }
  template <class In, class Value>
  static void read(In& in, Value& value) {
    bool is_present = false;
    in.path().field(name.view());
    Codec<bool>::read(in, is_present);
    in.path().back();
    if (is_present) {
      Field<name, Member>::read(in, value);
    }
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

/// Whether all values of a type have the same size. Only values of a type whose size varies can contain values of the same type.
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

/// Whether an enum may have variants that a client doesn't know. The last variant in the client stands for them.
enum class Variants { closed, open };

namespace detail {

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

namespace detail {

/// Writes and reads one variant of an enum. The names of its functions don't contain the other variants.
template <class One>
struct Alone {
  template <class Out>
  static void write(Out& out, const void* at) {
    Codec<One>::write(out, *static_cast<const One*>(at));
  }
  template <class In>
  static void read(In& in, const rustbridge::detail::VariantPlace& where, std::uint16_t place) {
    Codec<One>::read(in, where.begin<One>(place));
  }
};

/// The variant that stands for unknown ones. It has no bytes in the message.
template <class One>
struct Unknown {
  template <class Out>
  static void write(Out&, const void*) {}
  template <class In>
  static void read(In&, const rustbridge::detail::VariantPlace& where, std::uint16_t place) {
    where.begin<One>(place);
  }
};

}  // namespace detail

/// The codec of an enum with data, a `OneOf`.
template <class Value, std::size_t Least, Size size, Variants variants = Variants::closed>
struct Enum : Traits<Least> {
  template <class Out>
  static void write(Out& out, const Value& value) {
    write_one(out, value);
  }
  template <class In>
  static void read(In& in, Value& value) {
    read_one(in, value);
  }

 private:
  template <class Out, class... All>
  static void write_one(Out& out, const OneOf<All...>& value) {
    std::size_t index = value.index();
    if (index >= known<All...>) [[unlikely]] {
      out.fail("an unknown variant can't be sent");
    }
    out.plain(static_cast<std::uint16_t>(index));
    if constexpr (size == Size::varies) {
      out.enter();
    }
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      rustbridge::detail::choose<&Part<All, (Place < known<All...>)>::template write<Out>...>(index, out, value.data());
    }(std::index_sequence_for<All...>());
    if constexpr (size == Size::varies) {
      out.leave();
    }
  }
  template <class In, class... All>
  static void read_one(In& in, OneOf<All...>& value) {
    if constexpr (size == Size::varies) {
      in.enter();
    }
    std::uint16_t found = detail::variant_of(in, known<All...>, variants);
    if (found == unknown_variant) {
      found = static_cast<std::uint16_t>(known<All...>);
    }
    [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      rustbridge::detail::choose<&Part<All, (Place < known<All...>)>::template read<In>...>(found, in, value.variant_place(), found);
    }(std::index_sequence_for<All...>());
    if constexpr (size == Size::varies) {
      in.leave();
    }
  }

  template <class One, bool is_known>
  using Part = std::conditional_t<is_known, detail::Alone<One>, detail::Unknown<One>>;

  template <class... All>
  static constexpr std::size_t known = sizeof...(All) - (variants == Variants::open ? 1 : 0);
};

/// The codec of an enum without data, with `count` variants.
template <class Value, std::uint16_t count, Variants variants = Variants::closed>
struct Choice : Traits<2> {
  template <class Out>
  static void write(Out& out, Value value) {
    auto variant = static_cast<std::uint16_t>(value);
    if (variant >= count) [[unlikely]] {
      out.fail(variants == Variants::open && variant == unknown_variant ? "an unknown variant can't be sent"
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

/// The names of arguments that a method accepts one by one. In the message, the arguments are a record.
template <Name... names>
struct Names {};

/// References to the arguments of a method.
template <class Of, class... Values>
struct Arguments {
  std::tuple<const Values&...> values;
};

/// Returns several arguments as a request, which refers to them.
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

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_RECORDS_HPP

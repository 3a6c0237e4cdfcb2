/* Part of rustbridge_wire.hpp. The codec of dynamic values. */
#ifndef RUSTBRIDGE_WIRE_DYNAMIC_HPP
#define RUSTBRIDGE_WIRE_DYNAMIC_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "lists.hpp"

namespace rustbridge::wire {

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
          in.fail(std::to_string(found) + " fits an i64, but is encoded as a u64", sizeof found);
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
      default: in.fail("unknown kind of dynamic value: " + std::to_string(kind), sizeof kind);
    }
  }

 private:
  /// Constructs the value in place. Moving it there would take several times as long as most values take to construct.
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
        in.fail("duplicate key in a map", before - in.left());
      }
      read(in, at->second);
      in.path().back();
    }
    in.leave();
  }

  /// Writes the kind of a value, and the number if the value is one.
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

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_DYNAMIC_HPP

/* Part of rustbridge_wire.hpp. Codecs of lists and maps. */
#ifndef RUSTBRIDGE_WIRE_LISTS_HPP
#define RUSTBRIDGE_WIRE_LISTS_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "codec.hpp"

namespace rustbridge::wire {

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
        in.fail("duplicate key in a map", before - in.left());
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

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_LISTS_HPP

/*
 * Typed values by hand: the client's own structs, laid out for these very calls in memory that is kept, with what a careful person
 * checks: that texts are UTF-8, lengths, variants, and that nothing is left over.
 */
#ifndef BENCH_BY_HAND_HPP
#define BENCH_BY_HAND_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench.h"
#include "clients/bench.hpp"

/// Whether a text is UTF-8.
inline bool is_utf8(std::string_view text) noexcept {
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & 0x8080'8080'8080'8080) != 0) {
      break;
    }
  }
  while (at < text.size()) {
    auto byte = [&](std::size_t next) { return next < text.size() ? static_cast<unsigned char>(text[next]) : 0u; };
    unsigned first = byte(at);
    if (first < 0x80) {
      ++at;
      continue;
    }
    std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    unsigned character = first & (0x3Fu >> more);
    for (std::size_t next = 1; next <= more; ++next) {
      if ((byte(at + next) & 0xC0) != 0x80) {
        return false;
      }
      character = character << 6 | (byte(at + next) & 0x3F);
    }
    static constexpr unsigned least[] = {0, 0x80, 0x800, 0x10000};
    if (first < 0xC2 || first > 0xF4 || character < least[more] || character > 0x10FFFF ||
        (character >= 0xD800 && character < 0xE000)) {
      return false;
    }
    at += more + 1;
  }
  return true;
}

/// A function of the floor, with a request and a response that are kept. One thread at a time.
class ByHand {
 public:
  explicit ByHand(floor_function* function) : function_(function), came_(new std::byte[room]) { reserve(room); }

  bench::Greeting greet(const bench::Person& person) {
    call(put_text(0, person.name));
    bench::Greeting greeting{std::string(text())};
    finish();
    return greeting;
  }

  bench::Reading next_reading(const bench::Reading& reading) {
    put(0, reading.instrument);
    put(4, reading.at);
    put(12, reading.low);
    put(20, reading.high);
    put(28, reading.weight);
    put(32, reading.count);
    call(34);
    if (length_ != 34) {
      wrong();
    }
    bench::Reading next;
    get(0, next.instrument);
    get(4, next.at);
    get(12, next.low);
    get(20, next.high);
    get(28, next.weight);
    get(32, next.count);
    return next;
  }

  std::vector<bench::Item> discount(const std::vector<bench::Item>& items) {
    put(0, static_cast<std::uint32_t>(items.size()));
    std::size_t to = 4;
    for (const bench::Item& item : items) {
      reserve(to + 16 + item.name.size());
      put(to, item.number);
      to = put_text(to + 4, item.name);
      put(to, item.price);
      to += 8;
    }
    call(to);
    auto count = number<std::uint32_t>();
    if (count > (length_ - at_) / 16) {
      wrong();
    }
    std::vector<bench::Item> found;
    found.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      auto which = number<std::uint32_t>();
      std::string name(text());
      found.push_back({which, std::move(name), number<double>()});
    }
    finish();
    return found;
  }

  bench::Shape around(const bench::Shape& shape) {
    std::size_t size = 0;
    if (const auto* circle = shape.get_if<bench::Shape::Circle>()) {
      put(0, std::uint16_t{0});
      put(2, circle->radius);
      size = 10;
    } else if (const auto* rectangle = shape.get_if<bench::Shape::Rectangle>()) {
      put(0, std::uint16_t{1});
      put(2, rectangle->width);
      put(10, rectangle->height);
      size = 18;
    } else if (const auto* label = shape.get_if<bench::Shape::Label>()) {
      put(0, std::uint16_t{2});
      size = put_text(2, label->text);
    } else {
      wrong();
    }
    call(size);
    bench::Shape found = read_shape();
    finish();
    return found;
  }

  std::vector<double> twice(const std::vector<double>& numbers) {
    std::size_t bytes = numbers.size() * sizeof(double);
    reserve(8 + bytes);
    put(0, static_cast<std::uint64_t>(numbers.size()));
    std::memcpy(sent_.get() + 8, numbers.data(), bytes);
    call(8 + bytes);
    auto count = number<std::uint64_t>();
    if (length_ % 8 != 0 || count != length_ / 8 - 1) {
      wrong();
    }
    // It's an array of bytes that begins at a multiple of 8, and these may be taken for doubles.
    const auto* first = reinterpret_cast<const double*>(came_.get() + 8);
    return std::vector<double>(first, first + count);
  }

  double divide(std::int64_t a, std::int64_t b) {
    std::int64_t numbers[] = {a, b};
    double quotient = 0;
    bare(numbers, sizeof numbers, &quotient, sizeof quotient);
    return quotient;
  }

  std::int32_t answer(std::int32_t question) {
    std::int32_t answer = 0;
    bare(&question, sizeof question, &answer, sizeof answer);
    return answer;
  }

 private:
  static constexpr std::size_t room = std::size_t{16} << 10;

  [[noreturn]] static void wrong() { throw std::runtime_error("the bare call, or who calls, has it otherwise"); }

  void bare(const void* request, std::size_t size, void* response, std::size_t expected) {
    std::size_t length = 0;
    std::int32_t status = function_(nullptr, 1, static_cast<const std::uint8_t*>(request), size,
                                    static_cast<std::uint8_t*>(response), expected, &length);
    if (status != 0 || length != expected) {
      wrong();
    }
  }

  void call(std::size_t size) {
    std::int32_t status = function_(nullptr, 1, reinterpret_cast<const std::uint8_t*>(sent_.get()), size,
                                    reinterpret_cast<std::uint8_t*>(came_.get()), room, &length_);
    if (status != 0) {
      wrong();
    }
    at_ = 0;
  }

  /* ---- the request ---- */

  void reserve(std::size_t size) {
    if (size > capacity_) {
      std::unique_ptr<std::byte[]> larger(new std::byte[2 * size]);
      if (capacity_ > 0) {
        std::memcpy(larger.get(), sent_.get(), capacity_);
      }
      sent_ = std::move(larger);
      capacity_ = 2 * size;
    }
  }

  template <class Number>
  void put(std::size_t at, Number value) {
    std::memcpy(sent_.get() + at, &value, sizeof value);
  }

  /// Where it ends.
  std::size_t put_text(std::size_t at, std::string_view text) {
    if (!is_utf8(text)) {
      wrong();
    }
    // Eight more, for what may follow.
    reserve(at + 4 + text.size() + 8);
    put(at, static_cast<std::uint32_t>(text.size()));
    std::memcpy(sent_.get() + at + 4, text.data(), text.size());
    return at + 4 + text.size();
  }

  /* ---- the response ---- */

  template <class Number>
  void get(std::size_t at, Number& value) const {
    std::memcpy(&value, came_.get() + at, sizeof value);
  }

  std::size_t take(std::size_t size) {
    if (size > length_ - at_) {
      wrong();
    }
    return std::exchange(at_, at_ + size);
  }

  template <class Number>
  Number number() {
    Number value;
    get(take(sizeof value), value);
    return value;
  }

  std::string_view text() {
    std::size_t size = number<std::uint32_t>();
    std::string_view text(reinterpret_cast<const char*>(came_.get()) + take(size), size);
    if (!is_utf8(text)) {
      wrong();
    }
    return text;
  }

  bench::Shape read_shape() {
    switch (number<std::uint16_t>()) {
      case 0:
        return bench::Shape::Circle{number<double>()};
      case 1: {
        auto width = number<double>();
        return bench::Shape::Rectangle{width, number<double>()};
      }
      case 2:
        return bench::Shape::Label{std::string(text())};
      default:
        wrong();
    }
  }

  void finish() const {
    if (at_ != length_) {
      wrong();
    }
  }

  floor_function* function_;
  std::unique_ptr<std::byte[]> sent_;
  std::size_t capacity_ = 0;
  std::unique_ptr<std::byte[]> came_;
  std::size_t length_ = 0;
  std::size_t at_ = 0;
};

#endif

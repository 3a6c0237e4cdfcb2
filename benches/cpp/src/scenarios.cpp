/*
 * The scenarios of typed clients in C++, and what is timed. Each operation is a loop of its own around one call of the client's, or of the
 * floor's by hand. What it throws ends the program: a benchmark that goes on after a failure would time the failure.
 */
#include <cstdint>
#include <string>
#include <vector>

#include "bench.h"
#include "by_hand.hpp"
#include "clients/bench.hpp"

namespace {

/* The compiler has to believe that somebody reads and changes what is there. */
#if defined(__GNUC__)
template <class Value>
void consume(Value& value) {
  __asm__ volatile("" : : "r"(&value) : "memory");
}
#else
const void* volatile consumed;
template <class Value>
void consume(Value& value) {
  consumed = &value;
}
#endif

template <class Once>
std::uint64_t repeat(std::uint64_t iterations, Once once) {
  for (std::uint64_t left = iterations; left > 0; --left) {
    auto found = once();
    consume(found);
  }
  return 0;
}

/* ---- values ---- */

std::vector<bench::Item> items() {
  std::vector<bench::Item> items;
  for (std::uint32_t number = 1; number <= 100; ++number) {
    items.push_back({number, "item number " + std::to_string(number), number * 1.25});
  }
  return items;
}

std::vector<double> thousand() {
  std::vector<double> numbers;
  for (int i = 0; i < 1000; ++i) {
    numbers.push_back(0.5 * i);
  }
  return numbers;
}

bench::Values values(std::size_t count) {
  const rustbridge::Dynamic three[] = {1, "two", 3.0};
  bench::Values values;
  for (std::size_t i = 0; i < count; ++i) {
    values.values.push_back(three[i % 3]);
  }
  return values;
}

/* What is made within the timing. */
bench::Person person() { return {"Ada Lovelace"}; }
bench::Reading reading() { return {7, 1'700'000'000, -1.5, 3.25, 0.5F, 11}; }
bench::Shape rectangle() { return bench::Shape::Rectangle{3, 4}; }
std::vector<std::string> parts() { return {"hello", "world"}; }

/* ---- what is timed ---- */

const bench::Bench& client(const work* work) { return *static_cast<const bench::Bench*>(work->client); }

/* By the client. */
namespace ours {

std::uint64_t text(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.greet(person()); });
}

std::uint64_t numbers(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.next_reading(reading()); });
}

std::uint64_t records(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work), items = items()] { return client.discount(items); });
}

std::uint64_t variant(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.around(rectangle()); });
}

std::uint64_t doubles(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work), numbers = thousand()] { return client.twice(numbers); });
}

std::uint64_t divide(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.divide(10, 2); });
}

std::uint64_t answer(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.answer_to(23); });
}

std::uint64_t join(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.join_texts(parts()); });
}

std::uint64_t any(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work), values = values(work->scenario->size)] { return client.any(values); });
}

std::uint64_t structs(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [&client = client(work)] { return client.get_structs(); });
}

}  // namespace ours

/* By the floor. */
namespace floors {

std::uint64_t text(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor)]() mutable { return hand.greet(person()); });
}

std::uint64_t numbers(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor)]() mutable { return hand.next_reading(reading()); });
}

std::uint64_t records(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor), items = items()]() mutable { return hand.discount(items); });
}

std::uint64_t variant(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor)]() mutable { return hand.around(rectangle()); });
}

std::uint64_t doubles(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor), numbers = thousand()]() mutable { return hand.twice(numbers); });
}

std::uint64_t divide(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor)]() mutable { return hand.divide(10, 2); });
}

std::uint64_t answer(work* work, std::uint64_t iterations) noexcept {
  return repeat(iterations, [hand = ByHand(work->floor)]() mutable { return hand.answer(23); });
}

}  // namespace floors

/* ---- the client ---- */

ByHand by_hand(const char* function) { return ByHand(find_floor(function)); }

/* Ends the program unless each call is answered as it should be, and as the floor answers it. */
void check(const bench::Bench& client) {
  auto same = [](const char* method, bool is_same) {
    if (!is_same) {
      die(method, "another response than expected, or than the floor's");
    }
  };
  auto greeting = client.greet(person());
  same("greet", greeting.text == "Hello, Ada Lovelace!" && greeting == by_hand("greet").greet(person()));
  auto next = client.next_reading(reading());
  same("next_reading", next.count == 12 && next == by_hand("next_reading").next_reading(reading()));
  auto discounted = client.discount(items());
  same("discount", discounted.at(99).price == 62.5 && discounted == by_hand("discount").discount(items()));
  auto circle = client.around(rectangle());
  same("around", circle.is<bench::Shape::Circle>() && circle == by_hand("around").around(rectangle()));
  auto twice = client.twice(thousand());
  same("twice", twice.at(999) == 999.0 && twice == by_hand("twice").twice(thousand()));
  same("divide", client.divide(10, 2) == 5.0 && by_hand("div").divide(10, 2) == 5.0);
  same("answer_to", client.answer_to(23) == 64 && by_hand("answer").answer(23) == 64);
  same("join_texts", client.join_texts(parts()) == "hello,world");
  same("any", client.any(values(100)) == values(100));
  same("get_structs", client.get_structs().students.size() == 34);
}

void* load(const char* path) noexcept {
  auto* client = new bench::Bench(bench::Bench::load(path));
  check(*client);
  return client;
}

void close(void* client) noexcept { delete static_cast<bench::Bench*>(client); }

/* ---- the table ---- */

constexpr scenario typed(const char* name, const char* floor, operation* ours, operation* by_hand, std::size_t size = 0) {
  scenario made{};
  made.name = name;
  made.plugin = "bench_plugin";
  made.floor = floor;
  made.ours = ours;
  made.by_hand = by_hand;
  made.size = size;
  made.threads = 1;
  return made;
}

}  // namespace

extern "C" {

const caller caller_here = {"cpp", load, close};

const scenario scenarios[] = {
    typed("M primitive, typed", "div", ours::divide, floors::divide),
    typed("M string join, typed", nullptr, ours::join, nullptr),
    typed("M any 100, typed", nullptr, ours::any, nullptr, 100),
    typed("M any 10000, typed", nullptr, ours::any, nullptr, 10000),
    typed("get_answer, typed", "answer", ours::answer, floors::answer),
    typed("get_structs, typed", nullptr, ours::structs, nullptr),
    typed("typed text", "greet", ours::text, floors::text),
    typed("typed numbers", "next_reading", ours::numbers, floors::numbers),
    typed("typed 100 records", "discount", ours::records, floors::records),
    typed("typed enum", "around", ours::variant, floors::variant),
    typed("typed 1000 doubles", "twice", ours::doubles, floors::doubles),
};

const std::size_t scenario_count = sizeof scenarios / sizeof scenarios[0];
}

/* The traits of objects, by the client of `fixtures-plugin`.
   Usage: traits FIXTURES */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <unordered_set>

#include "check.hpp"
#include "clients/fixtures.hpp"

namespace {

using namespace rustbridge;
using namespace fixtures;

const std::vector<std::string> books{"Emma", "Ivanhoe", "Ulysses"};

Shelf shelf(const Fixtures& plugin, const std::string& label) { return Shelf(plugin, label, books); }

/// Whether a function throws an error with this status.
template <class Function>
bool fails(Status status, const Function& function) {
  try {
    function();
  } catch (const Error& failed) {
    return failed.status() == status;
  }
  return false;
}

void the_text_is_that_of_the_plugin_or_states_the_error(const Fixtures& plugin) {
  std::ostringstream out;
  out << shelf(plugin, "novels");
  CHECK(out.str() == "novels: Emma, Ivanhoe, Ulysses");
  Shelf smudged = shelf(plugin, "smudged");
  CHECK(smudged.to_string() == "<Shelf: the object has no text: its `Display::fmt` returned an error>");
  smudged.release();
  CHECK(smudged.to_string().starts_with("<Shelf: "));
  Shelf moved = std::move(smudged);
  CHECK(smudged.to_string().starts_with("<Shelf: "));
}

void handles_are_equal_if_their_objects_are(const Fixtures& plugin) {
  Shelf one = shelf(plugin, "novels");
  CHECK(one == Shelf::again(plugin, one));
  CHECK(one == shelf(plugin, "novels"));
  CHECK(one != shelf(plugin, "poems"));
  Mark here(plugin, 1), nowhere(plugin, std::nan(""));
  const Mark& same = nowhere;
  CHECK(here == Mark(plugin, 1) && here != nowhere && nowhere == same);
}

void objects_of_another_instance_are_unequal_and_have_no_order(const Fixtures& plugin, const char* path) {
  Fixtures another = Fixtures::load(path);
  Shelf one = shelf(plugin, "novels"), foreign = shelf(another, "novels");
  CHECK(one != foreign);
  CHECK(one.hash() == foreign.hash());
  CHECK(fails(Status::invalid_argument, [&] { return one < foreign; }));
}

void a_released_object_equals_itself_alone(const Fixtures& plugin) {
  Shelf one = shelf(plugin, "novels"), released = shelf(plugin, "novels");
  released.release();
  const Shelf& same = released;
  CHECK(released == same);
  for (const auto& [left, right] : {std::pair(&one, &released), std::pair(&released, &one)}) {
    CHECK(fails(Status::invalid_argument, [&, &left = left, &right = right] { return *left == *right; }));
    CHECK(fails(Status::invalid_argument, [&, &left = left, &right = right] { return *left < *right; }));
  }
  CHECK(fails(Status::invalid_argument, [&] { return released.hash(); }));
  CHECK(fails(Status::invalid_argument, [&] { return released.size(); }));
}

void objects_are_hashed_and_sorted(const Fixtures& plugin) {
  std::vector<Shelf> all;
  for (const char* label : {"c", "a", "d", "b"}) {
    all.push_back(shelf(plugin, label));
  }
  std::unordered_set<Shelf> set;
  set.insert(Shelf::again(plugin, all[2]));
  CHECK(set.contains(all[2]) && set.contains(shelf(plugin, "d")) && !set.contains(all[0]));
  std::ranges::sort(all);
  std::string labels;
  for (const Shelf& one : all) {
    labels += one.label();
  }
  CHECK(labels == "abcd");
  CHECK(all[0] < all[1] && all[1] <= all[2] && all[3] > all[2]);
}

void objects_have_a_size_and_items(const Fixtures& plugin) {
  Shelf one = shelf(plugin, "novels");
  CHECK(one.size() == 3 && one.len() == 3);
  std::vector<std::string> read;
  for (const std::string& book : one) {
    read.push_back(book);
  }
  CHECK(read == books);
  Shelf many(plugin, "long", std::vector<std::string>(5000, "volume"));
  for (const std::string& book : many) {
    CHECK(book == "volume");
    break;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  Fixtures plugin = Fixtures::load(arguments[1]);
  the_text_is_that_of_the_plugin_or_states_the_error(plugin);
  handles_are_equal_if_their_objects_are(plugin);
  objects_of_another_instance_are_unequal_and_have_no_order(plugin, arguments[1]);
  a_released_object_equals_itself_alone(plugin);
  objects_are_hashed_and_sorted(plugin);
  objects_have_a_size_and_items(plugin);
  std::puts("traits: ok");
}

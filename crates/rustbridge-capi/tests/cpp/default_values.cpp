/* Fields and parameters with default values, by the client of `fixtures-plugin`.
   Usage: default_values FIXTURES */
#include <cstdint>
#include <cstdio>
#include <limits>

#include "check.hpp"
#include "clients/fixtures.hpp"

namespace {

using namespace rustbridge;
using namespace fixtures;

void a_record_has_the_default_values() {
  Layout layout{.title = "A"};
  CHECK(layout.width == 80 && layout.offset == -1 && layout.most == std::numeric_limits<std::uint64_t>::max());
  CHECK(layout.spacing == 1.5 && layout.zoom == 0.25f && layout.numbered);
  CHECK(layout.language == "en" && layout.bullet == U'-');
  CHECK(layout.colour == Colour::deep_blue && layout.target.is<Target::Screen>());
  CHECK(layout.tags.empty() && layout.margins.empty() && layout.notes.empty() && layout.picture.empty());
  CHECK(!layout.author && layout.copies == 0);
  CHECK(Target::File{.path = "a.txt"}.overwrite);
}

void a_record_is_sent_with_no_some_and_all_values(const Fixtures& plugin) {
  Layout none{.title = "A"};
  CHECK(plugin.layout(none) == none);
  Layout some{.title = "A", .language = "de", .target = Target::File{.path = "a.txt"}};
  CHECK(plugin.layout(some) == some);
  Layout all{.title = "A",
             .width = 1,
             .offset = 2,
             .most = 3,
             .spacing = 4.5,
             .zoom = 0.5f,
             .numbered = false,
             .language = "",
             .bullet = U'*',
             .colour = Colour::red,
             .target = Target::File{.path = "a.txt", .overwrite = false},
             .tags = {"a"},
             .margins = {1, 2},
             .notes = {{"a", 1}},
             .picture = {std::byte{1}},
             .author = "Ada",
             .copies = 9};
  CHECK(plugin.layout(all) == all);
}

void parameters_have_the_default_values(const Fixtures& plugin) {
  CHECK(plugin.cut("abcdefgh") == "abcde... Green [] screen ");
  CHECK(plugin.cut("abcdefgh", 2) == "ab... Green [] screen ");
  CHECK(plugin.cut("abcdefgh", 3, "!", Colour::red, {"a", "b"}, Target::File{.path = "a.txt"}, "note") ==
        "abc! Red [a b] a.txt true note");
  CHECK(plugin.countdown() == (std::vector<std::uint32_t>{3, 2, 1}));
  CHECK(plugin.countdown(1) == (std::vector<std::uint32_t>{1}));
  CHECK(plugin.countdown(2, {.timeout = std::chrono::seconds(30)}) == (std::vector<std::uint32_t>{2, 1}));
  std::vector<std::uint32_t> launched;
  for (std::uint32_t one : plugin.launch()) {
    launched.push_back(one);
  }
  CHECK(launched == (std::vector<std::uint32_t>{3, 2, 1}));
  CHECK(plugin.repeat("ab") == "abab" && plugin.repeat_async("ab", 3).get() == "ababab");
}

void the_functions_of_an_object_have_the_default_values(const Fixtures& plugin) {
  Brush brush(plugin);
  Brush wide(plugin, 7);
  CHECK(brush.wider() == 4 && brush.wider(4) == 7 && wide.wider() == 8);
  CHECK(Brush::strokes(plugin, 10) == 4 && Brush::strokes(plugin, 10, 5) == 2);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  Fixtures plugin = Fixtures::load(arguments[1]);
  a_record_has_the_default_values();
  a_record_is_sent_with_no_some_and_all_values(plugin);
  parameters_have_the_default_values(plugin);
  the_functions_of_an_object_have_the_default_values(plugin);
  std::puts("default_values: ok");
}

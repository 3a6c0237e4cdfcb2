/* Types of two plugins: the client of `gallery-plugin` uses the types of the client of `fixtures-plugin`.
   Usage: shared FIXTURES GALLERY */
#include <cstdio>
#include <type_traits>

#include "check.hpp"
#include "clients/gallery.hpp"

namespace {

using namespace rustbridge;
using fixtures::Fixtures;
using gallery::Gallery;

static_assert(std::is_same_v<gallery::Frame, fixtures::Frame>);
static_assert(std::is_same_v<gallery::SpriteException, fixtures::SpriteException>);
static_assert(!std::is_same_v<gallery::Bill, fixtures::Bill>);

fixtures::Frame frame() {
  return {
      .corners = {{1, 2}, {3, 4}},
      .outline = fixtures::Outline::Polygon{{{1, 2}}},
      .sides = {{"top", fixtures::Colour::deep_blue}},
      .title = "The sea",
  };
}

void values(const Fixtures& one, const Gallery& other) {
  fixtures::Frame turned = one.turned_frame(frame());
  fixtures::Spot corner = other.hang(turned);
  CHECK((corner == fixtures::Spot{3, 4}));
  std::vector<fixtures::Frame> hung = other.with_colour(fixtures::Colour::deep_blue);
  CHECK(hung.size() == 1 && one.turned_frame(hung[0]) == frame());
  CHECK((other.around(std::vector{corner}) == fixtures::Outline(fixtures::Outline::Circle{corner, 1})));
  CHECK(other.bill(2).cents == 1000);
}

void errors(const Fixtures& one, const Gallery& other) {
  fixtures::Frame outside = frame();
  std::get<0>(outside.corners).x = -1;
  try {
    static_cast<void>(other.hang(outside));
    CHECK(false);
  } catch (const fixtures::SpriteException& failed) {
    CHECK(failed.status() == Status::out_of_range);
    CHECK((failed.error() == fixtures::SpriteError(fixtures::SpriteError::Outside{-1, 2})));
  }

  // The host throws an exception of one plugin to the other, which returns it.
  auto guard = gallery::Guard::of([&](const fixtures::Person& person, const fixtures::Spot& to) {
    CHECK(person.age == 36);
    fixtures::Sprite sprite(one, "", std::nullopt);
    return to;
  });
  try {
    static_cast<void>(other.visit({"Ada", 36}, {1, 1}, guard));
    CHECK(false);
  } catch (const fixtures::SpriteException& failed) {
    CHECK(failed.status() == Status::invalid_argument);
    CHECK((failed.error() == fixtures::SpriteError(fixtures::SpriteError::Unnamed{})));
  }
}

}  // namespace

int main(int, char** arguments) {
  Fixtures one = Fixtures::load(arguments[1]);
  Gallery other = Gallery::load(arguments[2]);
  values(one, other);
  errors(one, other);
  std::puts("shared: ok");
}

// A host in C++ that calls the contacts plugin through the client that `rustbridge gen -l cpp` has written.
//
// Usage: contacts_host PATH-OF-CONTACTS-PLUGIN
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contacts.hpp"

using namespace contacts;

const auto began = std::chrono::steady_clock::now();

// Prints a text as a line of JSON, with the time since the start of the program.
void tell(const std::string& text) {
  auto at = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  std::cout << R"({"host":"C++","transport":"native","happened":"typed","text":")" << text << R"(","at_ms":)" << at.count() << "}"
            << std::endl;
}

// Returns how a person is reached. The enum has a struct for each variant.
std::string way(const Reach& reached) {
  if (const auto* email = reached.get_if<Reach::Email>()) {
    return "by mail to " + email->address;
  }
  if (const auto* phone = reached.get_if<Reach::Phone>()) {
    return "by phone, +" + std::to_string(phone->country) + " " + phone->number;
  }
  return "not at all";
}

// The service that the plugin calls.
class Homes : public Registry {
 public:
  std::optional<Place> home(const std::string& request) override {
    if (request != "Ada") {
      return std::nullopt;
    }
    return Place{3, 4};
  }
};

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: contacts_host PATH-OF-CONTACTS-PLUGIN\n";
    return 2;
  }
  auto contacts = Contacts::load(arguments[1]);
  Contact ada{.name = "Ada", .reached = Reach::Email{"ada@example.org"}, .tags = {"maths"}, .age = 36};
  contacts.add(ada);
  contacts.add({.name = "Emmy", .reached = Reach::Phone{49, "9131"}, .tags = {"maths", "physics"}});
  auto kept = contacts.add({.name = "Kurt", .reached = Reach::Nowhere(), .tags = {"maths"}});
  tell(std::to_string(kept) + " people are kept");

  // `at_most` is left out: it has its default value, 10.
  for (const Contact& found : contacts.find({.tag = "maths"})) {
    tell(found.name + " is reached " + way(found.reached));
  }

  if (contacts.rename("Emmy", "Emmy Noether")) {
    tell("Emmy has a second name now");
  }

  // A callback: the plugin calls the function for each contact until it returns false.
  std::string met;
  contacts.visit(Visitor::of([&](const Contact& contact) {
    met += (met.empty() ? "" : " and ") + contact.name;
    return contact.name != "Emmy Noether";
  }));
  tell("the visitor has met " + met);

  Place middle = contacts.middle(std::vector<Place>{{0, 0}, {4, 0}, {2, 3}});
  tell("the middle of three places is at " + std::to_string(middle.x) + ", " + std::to_string(middle.y));

  tell(contacts.reach_async(ada).get());
  try {
    contacts.reach_async({.name = "Kurt", .reached = Reach::Nowhere()}).get();
  } catch (const ReachException& failed) {
    if (const auto* nowhere = failed.error().get_if<ReachError::Nowhere>()) {
      tell(nowhere->name + " isn't reached: " + failed.message());
    }
  }

  auto served = Contacts::load(arguments[1], {}, {.registry = std::make_shared<Homes>()});
  if (auto distance = served.distance("Ada", {0, 0})) {
    tell("it's " + std::to_string(*distance) + " to Ada's home");
  }
}

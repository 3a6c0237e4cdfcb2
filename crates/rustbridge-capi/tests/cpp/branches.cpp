/* Functions of a callback that accept and return objects, by the client of `fixtures-plugin`.
   Usage: branches FIXTURES */
#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>

#include "check.hpp"
#include "clients/fixtures.hpp"

namespace {

using namespace rustbridge;
using namespace fixtures;

/// A branch of the host. It counts its own destruction.
class Twig : public Branch {
 public:
  explicit Twig(std::string name, std::atomic<int>* destroyed = nullptr) : name_(std::move(name)), destroyed_(destroyed) {}
  Twig(const Twig&) = delete;
  ~Twig() override {
    if (destroyed_ != nullptr) {
      ++*destroyed_;
    }
  }

  std::string name() override { return name_; }
  void set_parent(std::optional<std::shared_ptr<Branch>> parent) override {
    if (name_ == "stiff") {
      throw Error(Status::failed_precondition, "it's stiff");
    }
    if (name_ == "rotten") {
      throw std::runtime_error("it's rotten");
    }
    parent_ = std::move(parent);
  }
  std::optional<std::shared_ptr<Branch>> parent() override { return parent_; }
  Sprite choose(std::vector<Sprite> sprites, Spot near) override {
    for (Sprite& sprite : sprites) {
      if (sprite.name() == name_) {
        return std::move(sprite);
      }
    }
    throw ChoiceException(ChoiceError::Nothing{near});
  }
  Label label(std::vector<Label> labels) override {
    if (labels.empty()) {
      throw Error(Status::not_found, "no labels");
    }
    return std::move(labels.back());
  }
  std::shared_ptr<Branch> meet(std::shared_ptr<Branch> other) override { return name_ == "shy" ? nullptr : other; }

 private:
  std::string name_;
  std::atomic<int>* destroyed_;
  std::optional<std::shared_ptr<Branch>> parent_;
};

std::shared_ptr<Branch> twig(const char* name, std::atomic<int>* destroyed = nullptr) {
  return std::make_shared<Twig>(name, destroyed);
}

using Names = std::vector<std::string>;

void branches_of_both_sides_grow_from_one_another(const Fixtures& plugin) {
  auto leaf = twig("leaf");
  auto root = twig("root");
  std::shared_ptr<Branch> limb = plugin.limb("limb");
  plugin.grow(leaf, limb);
  plugin.grow(limb, root);
  CHECK(plugin.path(leaf) == (Names{"leaf", "limb", "root"}));
  CHECK(plugin.trunk(leaf) == root);
  auto above = leaf->parent();
  CHECK(above && (*above)->name() == "limb" && *above != limb);
  // The plugin's implementation is called in the same way.
  CHECK(limb->parent() == root);
  limb->set_parent(std::nullopt);
  plugin.grow(leaf);
  CHECK(plugin.path(leaf) == Names{"leaf"} && plugin.path(limb) == Names{"limb"});
}

void objects_of_other_types_are_accepted_and_returned(const Fixtures& plugin) {
  std::vector<Sprite> sprites;
  sprites.emplace_back(plugin, "far", Spot{2, 0});
  sprites.emplace_back(plugin, "near", Spot{2, 0});
  CHECK(plugin.chosen(twig("near"), sprites, {1, 0}).name() == "near");
  CHECK(plugin.chosen(plugin.limb("limb"), sprites, {1, 0}).name() == "far");
  try {
    plugin.chosen(twig("none"), sprites, {7, 0});
    CHECK(false);
  } catch (const ChoiceException& failed) {
    const auto* nothing = failed.error().get_if<ChoiceError::Nothing>();
    CHECK(nothing != nullptr && nothing->value == (Spot{7, 0}) && failed.status() == Status::not_found);
  }
  std::vector<Label> labels;
  labels.push_back({"one", std::move(sprites[0])});
  labels.push_back({"two", std::move(sprites[1])});
  Label back = plugin.labelled(twig("any"), labels);
  CHECK(back.name == "two" && back.sprite.name() == "near");
  CHECK(REFUSED(not_found, plugin.labelled(twig("any"), {})).message() == "no labels");
}

void an_asynchronous_function_returns_an_object(const Fixtures& plugin) {
  auto one = twig("one");
  auto other = twig("other");
  CHECK(plugin.preferred(one, other) == other);
  CHECK(plugin.preferred_async(one, other).get() == other);
  CHECK(plugin.preferred(plugin.limb("limb"), one) == one);
  CHECK(plugin.preferred(one, plugin.limb("limb"))->name() == "limb");
  Error null = REFUSED(invalid_argument, plugin.preferred(twig("shy"), other));
  CHECK(null.message().find("the object is null") != std::string::npos);
}

void a_function_that_fails_keeps_nothing(const Fixtures& plugin) {
  std::atomic<int> destroyed{0};
  for (auto [name, message] : {std::pair("stiff", "it's stiff"), std::pair("rotten", "it's rotten")}) {
    try {
      plugin.grow(twig(name), twig("parent", &destroyed));
      CHECK(false);
    } catch (const Error& failed) {
      CHECK(failed.message() == message);
    }
  }
  CHECK(destroyed == 2);
  // What was accepted is released when the host's object lets go of it.
  auto branch = twig("branch");
  plugin.grow(branch, twig("parent", &destroyed));
  CHECK(destroyed == 2);
  plugin.grow(branch);
  CHECK(destroyed == 3);
}

void the_plugin_closes_while_branches_refer_to_one_another(const char* path) {
  std::atomic<int> destroyed{0};
  {
    Fixtures plugin = Fixtures::load(path);
    auto branch = twig("branch", &destroyed);
    std::shared_ptr<Branch> limb = plugin.limb("limb");
    plugin.grow(branch, limb);
    plugin.grow(limb, branch);
    REFUSED(failed_precondition, plugin.path(branch));
  }
  CHECK(destroyed == 1);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  Fixtures plugin = Fixtures::load(arguments[1]);
  branches_of_both_sides_grow_from_one_another(plugin);
  objects_of_other_types_are_accepted_and_returned(plugin);
  an_asynchronous_function_returns_an_object(plugin);
  a_function_that_fails_keeps_nothing(plugin);
  the_plugin_closes_while_branches_refer_to_one_another(arguments[1]);
  std::puts("branches: ok");
}

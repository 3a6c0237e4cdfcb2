/* Callbacks, services with several parameters, and constructors, by the client of `fixtures-plugin`.
   Usage: callbacks FIXTURES */
#include <atomic>
#include <cstdio>
#include <stdexcept>

#include "check.hpp"
#include "clients/fixtures.hpp"

namespace {

using namespace rustbridge;
using namespace fixtures;

const CallOptions over{.timeout = std::chrono::seconds(0)};

/// Counts what it's told, and its own destruction.
class Counting : public Listener {
 public:
  explicit Counting(std::atomic<int>* destroyed = nullptr, bool fails = false) : destroyed_(destroyed), fails_(fails) {}
  Counting(const Counting&) = delete;
  ~Counting() override {
    if (destroyed_ != nullptr) {
      ++*destroyed_;
    }
  }

  void joined(const Person&, const std::vector<std::string>& tags) override {
    if (fails_) {
      throw Error(Status::aborted, "the listener fails");
    }
    seen_ += 1 + tags.size();
  }
  std::uint64_t count() override { return seen_; }
  std::optional<Person> favourite(const std::vector<Person>& among) override {
    return among.empty() ? std::nullopt : std::optional(among.back());
  }
  bool confirm(const std::string& question, const std::uint32_t& patience) override { return question.size() > patience; }

 private:
  std::atomic<std::uint64_t> seen_{0};
  std::atomic<int>* destroyed_;
  bool fails_;
};

/// A node of the host.
class HostNode : public Node {
 public:
  explicit HostNode(double weight) : weight_(weight) {}
  std::string name() override { return "branch"; }
  double weight() override { return weight_; }

 private:
  double weight_;
};

void a_function_is_called_and_may_stop_the_work(const Fixtures& plugin) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reports;
  auto progress = Progress::of([&](std::uint32_t done, std::uint32_t total) {
    reports.emplace_back(done, total);
    return done < 3;
  });
  CHECK(plugin.work(2, progress) == 2);
  CHECK(plugin.work(9, progress) == 3);
  CHECK(plugin.work_elsewhere(1, progress) == 1);
  CHECK(reports.size() == 6 && reports.front() == std::pair(1U, 2U) && reports.back() == std::pair(1U, 1U));
  CHECK(progress.use_count() == 1);
}

void exceptions_arrive_as_errors(const Fixtures& plugin) {
  auto failing = Progress::of([](auto, auto) -> bool { throw Error(Status::data_loss, "it's lost"); });
  CHECK(REFUSED(data_loss, plugin.work(1, failing)).message() == "it's lost");
  auto throwing = Progress::of([](auto, auto) -> bool { throw std::runtime_error("odd"); });
  CHECK(REFUSED(internal, plugin.work(1, throwing)).message() == "odd");
  REFUSED(invalid_argument, plugin.work(1, nullptr));
  REFUSED(invalid_argument, Progress::of({}));
}

void a_kept_object_comes_back_as_the_very_object(const Fixtures& plugin) {
  std::atomic<int> destroyed{0};
  auto listener = std::make_shared<Counting>(&destroyed);
  plugin.subscribe("ada", listener);
  CHECK(plugin.join({"Bob", 3}, {"a", "b"}) == 3);
  CHECK(plugin.listener("ada") == std::shared_ptr<Listener>(listener));
  CHECK(plugin.listener("eve") == std::nullopt);
  listener.reset();
  CHECK(destroyed == 0);
  CHECK(plugin.unsubscribe("ada", false) && destroyed == 1);
  plugin.subscribe("bob", std::make_shared<Counting>(&destroyed));
  CHECK(plugin.unsubscribe("bob", true) && destroyed == 2);
}

void records_and_lists_may_have_several(const Fixtures& plugin) {
  std::vector<Subscription> all{{"ada", std::make_shared<Counting>()}, {"bob", std::make_shared<Counting>()}};
  plugin.subscribe_all(all);
  CHECK(plugin.subscriptions() == all);
  std::vector<Person> among{{"Ada", 36}, {"Bob", 40}};
  std::vector<std::optional<Person>> favourites{among[1], among[1]};
  CHECK(plugin.favourites(among) == favourites);
  CHECK(plugin.confirm("really?") && plugin.confirm_async("really?").get() && !plugin.confirm("so?"));
  REFUSED(deadline_exceeded, plugin.confirm_async("really?", over).get());
  plugin.subscribe("cyd", std::make_shared<Counting>(nullptr, true));
  CHECK(REFUSED(aborted, plugin.join({"Eve", 1}, {})).message() == "the listener fails");
  for (const char* name : {"ada", "bob", "cyd"}) {
    CHECK(plugin.unsubscribe(name, false));
  }
}

void a_list_may_have_the_plugins_objects_and_the_hosts(const Fixtures& plugin) {
  std::shared_ptr<Node> leaf = plugin.leaf("leaf", 0.5);
  CHECK(leaf->name() == "leaf" && leaf->weight() == 0.5);
  std::shared_ptr<Node> branch = std::make_shared<HostNode>(4);
  std::vector<std::shared_ptr<Node>> nodes{leaf, branch};
  auto [weight, names] = plugin.weigh(nodes);
  CHECK(weight == 4.5 && names == (std::vector<std::string>{"leaf", "branch"}));
  CHECK(plugin.heavier(leaf, branch) == branch);
  CHECK(plugin.heavier(plugin.leaf("trunk", 100), branch)->name() == "trunk");
  CHECK(plugin.is_there(leaf) && plugin.is_there(branch) && !plugin.is_there());
}

void closing_releases_what_the_plugin_has_kept(const char* path) {
  std::atomic<int> destroyed{0};
  {
    Fixtures plugin = Fixtures::load(path);
    plugin.subscribe("ada", std::make_shared<Counting>(&destroyed));
    CHECK(destroyed == 0);
  }
  CHECK(destroyed == 1);
}

/// Calls a client when it's destroyed.
class Leaving : public Counting {
 public:
  Leaving(const Fixtures& plugin, std::atomic<int>* refused) : plugin_(plugin), refused_(refused) {}
  Leaving(const Leaving&) = delete;
  ~Leaving() override {
    try {
      plugin_.subscribe("again", std::make_shared<Counting>());
    } catch (const Error& closed) {
      *refused_ += closed.status() == Status::unavailable ? 1 : 0;
    }
  }

 private:
  const Fixtures& plugin_;
  std::atomic<int>* refused_;
};

void an_object_may_call_the_client_when_the_plugin_is_closed(const char* path) {
  std::atomic<int> unavailable{0};
  std::atomic<int> destroyed{0};
  {
    Fixtures plugin = Fixtures::load(path);
    plugin.subscribe("ada", std::make_shared<Leaving>(plugin, &unavailable));
    plugin.subscribe("bob", std::make_shared<Counting>(&destroyed));
    plugin.plugin().close();
    CHECK(unavailable == 1 && destroyed == 1);
    REFUSED(unavailable, plugin.subscribe("cyd", std::make_shared<Counting>(&destroyed)));
    CHECK(destroyed == 2);
  }
  {
    Fixtures plugin = Fixtures::load(path);
    plugin.subscribe("ada", std::make_shared<Leaving>(plugin, &unavailable));
  }
  CHECK(unavailable == 2);
}

void a_client_of_a_loaded_plugin_refuses_the_hosts_objects(const char* path) {
  Plugin loaded = Plugin::load(path);
  Fixtures plugin = Fixtures::of(loaded);
  REFUSED(failed_precondition, plugin.work(1, Progress::of([](auto, auto) { return true; })));
  CHECK(plugin.heavier(plugin.leaf("one", 1), plugin.leaf("two", 2))->name() == "two");
}

void an_error_has_the_typed_error_that_caused_it(const Fixtures& plugin) {
  CHECK(plugin.print("Ada", {1, 2}, "3") == 3);
  try {
    plugin.print("Ada", {-1, 2}, "3");
    CHECK(false);
  } catch (const PrintException& failed) {
    const auto* sprite = failed.error().get_if<PrintError::Sprite>();
    CHECK(sprite != nullptr && sprite->name == "Ada" && failed.status() == Status::failed_precondition);
    CHECK(sprite->source == SpriteError(SpriteError::Outside{-1, 2}));
  }
  try {
    plugin.print("Ada", {1, 2}, "many");
    CHECK(false);
  } catch (const PrintException& failed) {
    const auto* copies = failed.error().get_if<PrintError::Copies>();
    CHECK(copies != nullptr && copies->source == "invalid digit found in string");
  }
}

void the_error_of_a_stream_is_the_typed_one(const Fixtures& plugin) {
  std::vector<std::uint32_t> seen;
  auto fails_with = [&seen](TurnError expected, auto&& pages) {
    try {
      while (auto page = pages.next()) {
        seen.push_back(*page);
      }
      CHECK(false);
    } catch (const TurnException& failed) {
      CHECK(failed.error() == expected && failed.status() == Status::out_of_range);
    }
  };
  fails_with(TurnError::last, plugin.browse(8, 1));
  fails_with(TurnError::last, plugin.browse(11, 1));
  auto follow = plugin.follow(2);
  follow.send_all(std::vector<std::int32_t>{3, -9});
  follow.finish();
  fails_with(TurnError::first, follow);
  CHECK(seen == (std::vector<std::uint32_t>{9, 10, 5}));
}

void decimal_numbers_keep_their_digits(const Fixtures& plugin) {
  using rustbridge::Decimal;
  Bill bill = plugin.bill(Decimal("99.90"), Decimal("19"));
  CHECK(bill.net.text() == "99.90" && bill.tax.text() == "18.98" && bill.gross == Decimal("118.88"));
  CHECK(plugin.bill(Decimal(), Decimal("1")).net.text() == "0");
  for (const char* none : {"", "-", "1e3", "+1", ".5", "5."}) {
    REFUSED(invalid_argument, Decimal(none));
  }
  REFUSED(invalid_argument, Decimal(std::string(1001, '9')));
  REFUSED(invalid_argument, plugin.bill(Decimal(std::string(30, '9')), Decimal()));
}

void objects_have_constructors_associated_functions_and_properties(const Fixtures& plugin) {
  try {
    Sprite nameless(plugin, "");
    CHECK(false);
  } catch (const SpriteException& failed) {
    CHECK(failed.error().is<SpriteError::Unnamed>() && failed.status() == Status::invalid_argument);
  }
  Sprite ada(plugin, "Ada", Spot{1, 2});
  CHECK(ada.name() == "Ada" && ada.spot() == (Spot{1, 2}));
  REFUSED(out_of_range, Sprite::new_relative_to(plugin, ada, "Bob", {-3, 0}));
  Sprite bob = Sprite::new_relative_to(plugin, ada, "Bob", {2, 2});
  ada.set_spot({0, 0});
  REFUSED(out_of_range, ada.set_spot({-1, 0}));
  CHECK(Sprite::distance(plugin, ada.spot(), bob.spot()) == 5 && Sprite::size(plugin) == (Spot{16, 32}));
  CHECK(Sprite::load(plugin, "Cyd").move_by({1, 1}) == (Spot{1, 1}));
  CHECK(Sprite::load_async(plugin, "Eve").get().name() == "Eve");
}

class Persons : public Directory {
 public:
  std::vector<Person> find(const std::string& prefix, const std::uint32_t& oldest, const std::optional<std::uint32_t>& limit) override {
    std::vector<Person> found;
    for (const Person& person : {Person{"Ada", 36}, Person{"Adele", 102}, Person{"Alf", 5}, Person{"Ada", 4}}) {
      if (person.name.starts_with(prefix) && person.age <= oldest && (!limit || found.size() < *limit)) {
        found.push_back(person);
      }
    }
    return found;
  }
};

void a_service_has_several_parameters(const char* path) {
  Fixtures plugin = Fixtures::load(path, {}, {.directory = std::make_shared<Persons>()});
  CHECK(plugin.look_up("Ad") == (std::vector<Person>{{"Ada", 36}, {"Ada", 4}}));
  CHECK(plugin.look_up("A", 1) == (std::vector<Person>{{"Ada", 36}}));
}

/// Fails with what it's asked for.
class Strict : public Judge, public Register {
 public:
  std::uint32_t marks(const std::string& name) override {
    if (name == "Eve") {
      throw VerdictException(VerdictError::Stranger{"Eve"});
    }
    if (name == "out") {
      throw VerdictException(VerdictError::Busy{6, Spot{0.5, 1.5}}, "come back later");
    }
    if (name == "closed") {
      throw VerdictException(VerdictError::Closed{});
    }
    if (name == "untyped") {
      throw Error(Status::not_found, "no marks", "VerdictError.Stranger", R"({"name":"untyped"})");
    }
    if (name == "other") {
      throw SpriteException(SpriteError::Unnamed{}, "of another type");
    }
    if (name == "unfit") {
      throw VerdictException(VerdictError::Stranger{"\xff"});
    }
    return 9;
  }
  std::uint32_t marks_later(const std::string& name) override { return marks(name); }
  std::uint32_t age(const std::string& name) override { return marks(name); }
};

void the_plugin_distinguishes_the_errors_of_the_host(const char* path) {
  auto strict = std::make_shared<Strict>();
  Fixtures plugin = Fixtures::load(path, {}, {.directory = nullptr, .register_ = strict});
  const std::pair<const char*, const char*> verdicts[] = {
      {"Ada", "9 marks"}, {"Eve", "no Eve"}, {"out", "busy for 6 min at 0.5, 1.5"}, {"untyped", "no untyped"}};
  for (auto [name, verdict] : verdicts) {
    CHECK(plugin.verdict(name, strict) == verdict);
    CHECK(plugin.verdict_later_async(name, strict).get() == verdict);
    CHECK(plugin.registered(name) == verdict);
  }
  try {
    plugin.verdict("closed", strict);
    CHECK(false);
  } catch (const VerdictException& failed) {
    CHECK(failed.error().is<VerdictError::Closed>() && failed.status() == Status::failed_precondition);
  }
  CHECK(REFUSED(unknown, plugin.registered("other")).message() == "of another type");
  REFUSED(internal, plugin.registered("unfit"));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  Fixtures plugin = Fixtures::load(arguments[1]);
  a_function_is_called_and_may_stop_the_work(plugin);
  exceptions_arrive_as_errors(plugin);
  a_kept_object_comes_back_as_the_very_object(plugin);
  records_and_lists_may_have_several(plugin);
  a_list_may_have_the_plugins_objects_and_the_hosts(plugin);
  an_error_has_the_typed_error_that_caused_it(plugin);
  the_error_of_a_stream_is_the_typed_one(plugin);
  decimal_numbers_keep_their_digits(plugin);
  objects_have_constructors_associated_functions_and_properties(plugin);
  closing_releases_what_the_plugin_has_kept(arguments[1]);
  an_object_may_call_the_client_when_the_plugin_is_closed(arguments[1]);
  a_client_of_a_loaded_plugin_refuses_the_hosts_objects(arguments[1]);
  a_service_has_several_parameters(arguments[1]);
  the_plugin_distinguishes_the_errors_of_the_host(arguments[1]);
  std::puts("callbacks: ok");
}

/*
 * The testee in C++: does what the judge of the conformance cases tells it on the standard input, and says on the standard
 * output what came of it. `conformance/protocol.md` has both sides of that.
 *
 * Requests and storage are allocated at exactly their size, so that a memory checker sees one byte too far. With the
 * argument `guard` a few bytes more behind the storage are watched instead.
 */
#include <stdexcept>

#include "testee_operations.hpp"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

namespace {

using namespace testee;

std::size_t guard = 0;

constexpr std::string_view hello =
    "protocol 1\n"
    "host cpp/hpp\n"
    "offers c-abi\n"
    "offers header\n"
    "offers operations\n"
    "offers services\n"
    "offers objects\n"
    "offers offload\n"
    "offers callbacks\n"
    "offers queues\n"
    "offers exceptions\n"
    "errors fields\n"
    "way call misalign\n"
    "way call_into storage=256 misalign\n"
    "way call_async misalign\n"
    "way call_shared misalign\n";

enum Way : std::uint8_t { by_call, by_call_into, by_call_async, by_call_shared };

constexpr std::array<std::string_view, 6> levels = {"OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"};
constexpr std::array<std::string_view, 6> states = {"", "active", "poisoned", "closing", "closed", "forked"};

Level read_level() {
  auto found = std::find(levels.begin(), levels.end(), read_text());
  CHECK(found != levels.end());
  return static_cast<Level>(found - levels.begin());
}

std::string load(Instance& instance) {
  std::string path = read_text();
  bool has_config = read<std::uint8_t>() != 0;
  std::string config_text = read_text();
  Config config;
  if (has_config) {
    config.json = config_text;
  }
  config.poison_on_panic = read<std::uint8_t>() != 0;
  config.log_level = read_level();
  if (read<std::uint8_t>() != 0) {
    config.log = [&instance](const LogRecord& record) {
      if (!record.is_span) {
        instance.records.bytes(levels.at(static_cast<std::size_t>(record.level))).bytes(record.target).bytes(record.message);
        instance.records.bytes(record.fields).bytes(record.spans);
      }
    };
  }
  for (const Offered& offered : instance.offered) {
    config.services.push_back(service_of(instance, offered));
  }
  CHECK(!instance.plugin);
  instance.plugin = Plugin::load(std::filesystem::path(std::u8string(path.begin(), path.end())), config);
  CHECK(instance.plugin);
  return {};
}

std::string prepare(const Instance& instance, char command) {
  std::string name;
  std::uint32_t id = 0;
  if (command == 'P') {
    name = read_text();
  } else {
    id = read<std::uint32_t>();
  }
  auto encoding = static_cast<Encoding>(read<std::uint32_t>());
  read_text();
  methods.push_back(command == 'P' ? instance.plugin.prepare(name, encoding) : instance.plugin.prepare_id(id, encoding));
  return Written().number(static_cast<std::uint32_t>(methods.size() - 1)).all();
}

std::string call_into(const Method& method, BytesView request, std::size_t capacity) {
  std::vector<std::byte> storage(capacity + guard, std::byte{0xa5});
  std::span<std::byte> offered = std::span(storage).first(capacity);
  auto is_whole = [&] {
    return std::all_of(storage.begin() + static_cast<std::ptrdiff_t>(capacity), storage.end(),
                       [](std::byte one) { return one == std::byte{0xa5}; });
  };
  std::string answer;
  try {
    std::span<std::byte> written = method.call_into(request, offered);
    CHECK(written.empty() || written.data() == storage.data());
    answer = BytesView(written).text();
  } catch (const ResponseTooLarge& larger) {
    CHECK(larger.response().size() > capacity);
    answer = larger.response().to_string();
  } catch (const Error&) {
    CHECK(is_whole());
    throw;
  }
  CHECK(is_whole());
  return answer;
}

std::string call() {
  Method method = methods.at(read<std::uint32_t>());
  auto way = static_cast<Way>(read<std::uint8_t>());
  if (read<std::uint8_t>() != 0) {
    method = method.leaf();
  }
  auto capacity = static_cast<std::size_t>(read<std::uint64_t>());
  auto misalign = read<std::uint8_t>();
  std::vector<std::byte> memory = read_bytes(misalign);
  BytesView request(memory.data() + misalign, memory.size() - misalign);
  switch (way) {
    case by_call: return method.call(request).to_string();
    case by_call_into: return call_into(method, request, capacity);
    case by_call_async:
      // A call with options has a place for objects, and none is what a case without a header is about.
      return method.returns_objects() ? method.call(request).to_string() : method.call_async(request).get().to_string();
    default: CHECK(way == by_call_shared); return method.shared().call(request).to_string();
  }
}

std::string flush(Instance& instance) {
  try {
    instance.plugin.flush_logs(std::chrono::seconds(10));
  } catch (const Error&) {
    // The sink is quiet after a flush, and nobody calls meanwhile. A closed instance has delivered everything.
    if (instance.plugin.state() != State::closed) {
      throw;
    }
  }
  return instance.records.all();
}

std::string drop(std::uint8_t number) {
  Instance& instance = instances[number];
  rb_instance handle = instance.plugin.handle();
  instance.end();
  std::uint32_t state = RB_STATE_CLOSED;
  CHECK(handle == 0 || (rb_state(handle, &state, nullptr) == RB_OK && state == RB_STATE_CLOSED));
  instances.erase(number);
  return {};
}

std::string asked(Instance& instance) {
  std::lock_guard lock(instance.mutex);
  return std::exchange(instance.asked, {}).all();
}

/* Does what a command with an instance says; an error is its result, too. */
std::string done(char command, std::uint8_t number) {
  Instance& instance = instances[number];
  switch (command) {
    case 'L': return load(instance);
    case 'P':
    case 'I': return prepare(instance, command);
    case 'C': return call();
    case 'X': instance.plugin.close(std::chrono::milliseconds(read<std::uint64_t>())); return {};
    case 'Y': {
      std::chrono::milliseconds timeout(read<std::uint64_t>());
      instance.plugin.close(timeout, std::chrono::milliseconds(read<std::uint64_t>()));
      return {};
    }
    case 'Q': queue.reset(); return {};
    case 'S': return std::string(states.at(static_cast<std::size_t>(instance.plugin.state())));
    case 'V': instance.plugin.set_log_level(read_level()); return {};
    case 'F': return flush(instance);
    case 'D': return drop(number);
    case 'W': return begin();
    case 'E': return event();
    case 'R': return offer(instance);
    case 'A': return asked(instance);
    default: std::fprintf(stderr, "unknown command %d\n", command); std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    if (argc > 2 || std::string_view(argv[1]) != "guard") {
      std::fprintf(stderr, "usage: conformance [guard]\n");
      return 2;
    }
    guard = 64;
  }
#if defined(_WIN32)
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  for (int next = std::fgetc(stdin); next != EOF; next = std::fgetc(stdin)) {
    auto command = static_cast<char>(next);
    if (command == 'H') {
      give('H', RB_OK, hello);
      continue;
    }
    auto number = read<std::uint8_t>();
    if (std::string_view("KGNTZ").find(command) != std::string_view::npos) {
      Status status = act(command);
      give(command, static_cast<std::int32_t>(status), status == Status::ok ? "" : Written().error(Error(status, "")).all());
      continue;
    }
    if (command == 'O') {
      Status status = Object(0, read<std::uint64_t>()).release();
      give(command, static_cast<std::int32_t>(status), status == Status::ok ? "" : Written().error(Error(status, "")).all());
      continue;
    }
    try {
      give(command, RB_OK, done(command, number));
    } catch (const Error& error) {
      give(command, error);
    } catch (const std::exception& error) {
      give(command, breach, error.what());
    }
  }
  return 0;
}

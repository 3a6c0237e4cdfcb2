/* What the testee in C++ has begun and offers: calls by a queue and by functions, objects, and services. */
#ifndef TEST_TESTEE_OPERATIONS_HPP
#define TEST_TESTEE_OPERATIONS_HPP

#include <list>
#include <map>

#include "testee.hpp"

namespace testee {

using namespace rustbridge;

enum How : std::uint8_t { by_queue, blocks, offloaded, by_function };
enum Mode : std::uint8_t { now, later, never, queued, back, throws, closes };

/* A service as the judge wants it, and what it was asked. */
struct Offered {
  std::string name;
  Encoding encoding{};
  Mode mode{};
  rb_status status = RB_OK;
  std::string answer;

  /* The answer, or the error thrown that it's meant to be. */
  std::string given() const {
    if (status != RB_OK) {
      throw Error::of(status, answer);
    }
    return answer;
  }
};

/* An instance, by the judge's number. */
struct Instance {
  Plugin plugin;
  Written records;
  std::list<Offered> offered;
  std::mutex mutex;
  Written asked;
  std::vector<ServiceReply> unanswered;
  std::vector<std::thread> answering;

  void note(const Offered& service, BytesView request) {
    std::lock_guard lock(mutex);
    asked.bytes(service.name).bytes(request);
  }

  /* Those that answer in a moment have done so. */
  void end() {
    plugin = Plugin();
    for (std::thread& thread : answering) {
      thread.join();
    }
  }
};

/* A call that was begun, by the judge's number. */
struct Call {
  PendingCall operation;
  /* Which of those of that number it is; events of one before are nobody's any more. */
  std::uint64_t serial = 0;
  std::deque<std::string> told;
};

inline std::optional<Queue> queue;
inline std::map<std::uint8_t, Call> calls;
inline std::uint64_t serials = 0;
inline std::map<std::uint8_t, Instance> instances;
inline std::vector<Method> methods;
/* What functions were told, on any thread, until it's asked for. */
inline std::mutex heard_mutex;
inline std::vector<std::pair<std::uint64_t, std::string>> heard;

inline Queue& the_queue() {
  if (!queue) {
    queue.emplace();
  }
  return *queue;
}

/* The numbers are the judge's from here on. */
inline std::string numbers_of(std::vector<Object>& objects) {
  Written numbers;
  for (Object& object : objects) {
    numbers.number(object.take());
  }
  return numbers.all();
}

inline std::string end_of(Result& result) {
  Written told;
  told.number<std::uint8_t>(1).number(static_cast<std::int32_t>(result.status()));
  if (const Error* error = result.error()) {
    told.bytes(Written().error(*error).all()).bytes(error->trailers().encoded()).bytes(std::string_view());
  } else {
    Response& response = result.response();
    told.bytes(response.bytes()).bytes(response.trailers().encoded()).bytes(numbers_of(response.objects()));
  }
  return told.all();
}

inline std::string bytes_of(Event& event) {
  Written told;
  switch (event.kind) {
    case Event::Kind::done: return end_of(*event.result);
    case Event::Kind::items:
      CHECK(!event.items.empty());
      told.number<std::uint8_t>(2).number(static_cast<std::uint32_t>(event.items.size()));
      for (std::size_t at = 0; at < event.items.size(); ++at) {
        told.bytes(event.items[at]);
      }
      return told.bytes(numbers_of(event.items.objects())).all();
    default:
      CHECK(event.kind == Event::Kind::demand);
      return told.number<std::uint8_t>(3).all();
  }
}

/* Gives an event to the call that it's of, if that is still the one. */
inline void tell(std::uint64_t user_data, std::string event) {
  Call& call = calls[static_cast<std::uint8_t>(user_data % 256)];
  if (call.serial == user_data / 256) {
    call.told.push_back(std::move(event));
  }
}

inline void take_heard() {
  std::lock_guard lock(heard_mutex);
  for (auto& [user_data, event] : heard) {
    tell(user_data, std::move(event));
  }
  heard.clear();
}

/* Answers a service that goes to the queue. */
inline void answer_event(Event& event) {
  for (auto& [number, instance] : instances) {
    for (Offered& service : instance.offered) {
      if (reinterpret_cast<std::uintptr_t>(&service) == event.user_data) {
        instance.note(service, event.service_call.request);
        // Nobody may wait any more.
        if (service.status == RB_OK) {
          event.reply.reply(service.answer);
        } else {
          event.reply.fail(Error::of(service.status, service.answer));
        }
      }
    }
  }
}

/* Fetches what has come, waiting that long; false if nothing has. */
inline bool fetch(std::uint64_t timeout_ms) {
  std::vector<Event> events = the_queue().next(std::chrono::milliseconds(timeout_ms), 4);
  for (Event& event : events) {
    if (event.kind == Event::Kind::service) {
      answer_event(event);
    } else if (event.kind != Event::Kind::service_cancel) {
      tell(event.user_data, bytes_of(event));
    }
  }
  return !events.empty();
}

inline CallOptions read_options() {
  CallOptions options;
  auto nanoseconds = read<std::uint64_t>();
  if (nanoseconds != UINT64_MAX) {
    options.timeout = std::chrono::nanoseconds(std::min<std::uint64_t>(nanoseconds, INT64_MAX - 1));
  }
  std::string trace = read_text();
  std::string state = read_text();
  if (!trace.empty()) {
    CHECK(trace.size() == 28);
    Trace& of = options.trace.emplace();
    std::memcpy(of.trace_id.data(), trace.data(), 16);
    std::memcpy(of.span_id.data(), trace.data() + 16, 8);
    std::memcpy(&of.flags, trace.data() + 24, 4);
    of.state = state;
  }
  options.metadata = Metadata::of_encoded(read_bytes());
  std::vector<std::byte> objects = read_bytes();
  options.objects.resize(objects.size() / sizeof(rb_object));
  if (!objects.empty()) {
    std::memcpy(options.objects.data(), objects.data(), objects.size());
  }
  return options;
}

/* `W`: begins a call, or makes one that waits. */
inline std::string begin() {
  auto number = read<std::uint8_t>();
  const Method& method = methods.at(read<std::uint32_t>());
  auto how = static_cast<How>(read<std::uint8_t>());
  CallOptions options = read_options();
  auto items = read<std::uint64_t>();
  auto bytes = read<std::uint64_t>();
  std::vector<std::byte> request = read_bytes();
  Call& call = calls[number];
  call = Call();
  call.serial = ++serials;
  std::uint64_t user_data = call.serial * 256 + number;
  options.offload = how == offloaded;
  if (how == blocks) {
    try {
      Result result(method.call(request, options));
      call.told.push_back(end_of(result));
    } catch (const Error& error) {
      Result result(error);
      call.told.push_back(end_of(result));
    }
  } else if (how == by_function) {
    auto hear = [user_data](Event&& event) {
      std::lock_guard lock(heard_mutex);
      heard.emplace_back(user_data, bytes_of(event));
    };
    call.operation = method.begin(request, options, hear, items, bytes);
  } else {
    Queue::StartedCall begun = the_queue().begin(method, request, options, user_data, items, bytes);
    call.operation = begun.operation;
    if (begun.result) {
      call.told.push_back(end_of(*begun.result));
    }
  }
  return {};
}

/* `E`: waits for what comes next of a call. */
inline std::string event() {
  Call& call = calls[read<std::uint8_t>()];
  auto timeout_ms = read<std::uint64_t>();
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  for (take_heard(); call.told.empty(); take_heard()) {
    // Nothing in the queue says that a function was told.
    if (!queue) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else {
      fetch(1);
    }
    if (std::chrono::steady_clock::now() > end) {
      take_heard();
      break;
    }
  }
  if (call.told.empty()) {
    return std::string(1, '\0');
  }
  std::string told = std::move(call.told.front());
  call.told.pop_front();
  return told;
}

/* `K`, `G`, `N`, `T`, `Z`: cancels a call, gives it up, takes items of it, sends items to it, ends those. */
inline Status act(char command) {
  const PendingCall& operation = calls[read<std::uint8_t>()].operation;
  switch (command) {
    case 'K': return operation.cancel();
    case 'G': return operation.detach();
    case 'N': {
      auto items = read<std::uint64_t>();
      return operation.demand(items, read<std::uint64_t>());
    }
    case 'T': {
      std::vector<std::vector<std::byte>> items(read<std::uint32_t>());
      std::generate(items.begin(), items.end(), [] { return read_bytes(); });
      std::vector<BytesView> views(items.begin(), items.end());
      return operation.write(views);
    }
    default: {
      CHECK(command == 'Z');
      auto status = static_cast<rb_status>(read<std::uint32_t>());
      std::string payload = read_text();
      return status == RB_OK ? operation.finish() : operation.fail(Error::of(status, payload));
    }
  }
}

/* `R`: keeps a service for the next load of an instance. */
inline std::string offer(Instance& instance) {
  Offered& service = instance.offered.emplace_back();
  service.name = read_text();
  service.encoding = static_cast<Encoding>(read<std::uint32_t>());
  read_text();
  service.mode = static_cast<Mode>(read<std::uint8_t>());
  service.status = static_cast<rb_status>(read<std::uint32_t>());
  service.answer = read_text();
  return {};
}

inline Service service_of(Instance& instance, const Offered& offered) {
  switch (offered.mode) {
    case queued:
      return Service::queued(offered.name, offered.encoding, the_queue(), reinterpret_cast<std::uintptr_t>(&offered));
    case later:
      return Service::later(offered.name, offered.encoding, [&](const ServiceCall& call, ServiceReply reply) {
        instance.note(offered, call.request);
        std::lock_guard lock(instance.mutex);
        instance.answering.emplace_back([&offered, reply = std::move(reply)] {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          if (offered.status == RB_OK) {
            reply.reply(offered.answer);
          } else {
            reply.fail(Error::of(offered.status, offered.answer));
          }
        });
      });
    case never:
      return Service::later(offered.name, offered.encoding, [&](const ServiceCall& call, ServiceReply reply) {
        instance.note(offered, call.request);
        std::lock_guard lock(instance.mutex);
        instance.unanswered.push_back(std::move(reply));
      });
    default:
      return Service(offered.name, offered.encoding, [&](const ServiceCall& call) -> std::string {
        instance.note(offered, call.request);
        switch (offered.mode) {
          case back: return instance.plugin.call(offered.answer, offered.encoding, call.request).to_string();
          case throws: throw std::runtime_error("thrown");
          case closes: instance.plugin.close(std::chrono::milliseconds(0)); return {};
          default: return offered.given();
        }
      });
  }
}

}  // namespace testee

#endif

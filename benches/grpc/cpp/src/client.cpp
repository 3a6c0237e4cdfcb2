// The gRPC client in C++: a blocking stub of grpc++. `grpc-bench` starts it with the options that clients in all languages have.

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>

#include "calls.hpp"
#include "measure.hpp"

namespace {

// Whose measures these are: a program in C calls gRPC by its C++ library, too, since there's no other for applications.
const char *const hosts[] = {"c", "cpp"};

// Above the blob of 16 MB; gRPC's own limit is 4 MB.
constexpr int largest_message = 32 << 20;

struct Options {
  std::optional<std::string> tcp, unix_socket, out;
  std::string only;
  bool pinned = false, quick = false, list = false, smoke = false;
};

Options options_of(int count, char **arguments) {
  Options options;
  for (int at = 1; at < count; ++at) {
    const std::string name = arguments[at];
    const std::map<std::string, bool *> flags{
        {"--pinned", &options.pinned}, {"--quick", &options.quick}, {"--list", &options.list}, {"--smoke", &options.smoke}};
    if (const auto flag = flags.find(name); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    if (at + 1 == count) {
      throw std::runtime_error(name + " is no option, or misses its value");
    }
    const std::string value = arguments[++at];
    if (name == "--tcp") {
      options.tcp = value;
    } else if (name == "--unix") {
      options.unix_socket = value;
    } else if (name == "--only") {
      options.only = value;
    } else if (name == "--out") {
      options.out = value;
    } else {
      throw std::runtime_error(name + " is no option");
    }
  }
  return options;
}

// One measure that will be made.
struct Planned {
  Scenario scenario;
  std::string subject, address;
  int threads;
};

std::vector<Planned> plan(const Options &options) {
  std::vector<Planned> planned;
  const auto along = [&](const std::string &way, const std::string &address) {
    for (const Scenario &scenario : scenarios()) {
      if (scenario.name.find(options.only) == std::string::npos || (options.pinned && !scenario.pinned)) {
        continue;
      }
      const bool more = scenario.name == threaded && !options.pinned;
      for (const int threads : more ? std::vector{1, 2, 4, 8} : std::vector{1}) {
        planned.push_back({scenario, "grpc " + way + (options.pinned ? " pinned" : ""), address, threads});
      }
    }
  };
  if (options.tcp) {
    along("tcp", *options.tcp);
  }
  if (options.unix_socket) {
    along("unix", "unix:" + *options.unix_socket);
  }
  return planned;
}

Stub connect(const std::string &address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(largest_message);
  arguments.SetMaxSendMessageSize(largest_message);
  // Otherwise it's a socket's path with its slashes escaped, which tonic's HTTP refuses as no host's name.
  arguments.SetString("grpc.default_authority", "localhost");
  const auto channel = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) {
    throw std::runtime_error("nobody answers at " + address);
  }
  return rustbridge::bench::Bench::NewStub(channel);
}

// A measure as a JSON object. No name has anything to escape.
void write(std::ostream &out, const char *host, const Planned &it, const std::vector<double> &samples,
           const std::optional<Single> &single) {
  out << R"({"scenario":")" << it.scenario.name << R"(","host":")" << host << R"(","subject":")" << it.subject << R"(","threads":)" << it.threads
      << R"(,"harness":"grpc","ns":[)";
  for (std::size_t at = 0; at < samples.size(); ++at) {
    out << (at == 0 ? "" : ",") << samples[at];
  }
  out << ']';
  if (single) {
    out << R"(,"single":{"count":)" << single->count << R"(,"p50":)" << single->p50 << R"(,"p90":)" << single->p90 << R"(,"p99":)"
        << single->p99 << R"(,"p999":)" << single->p999 << R"(,"clock":)" << single->clock << '}';
  }
  out << '}';
}

void run(const Options &options) {
  const std::vector<Planned> planned = plan(options);
  if (options.list) {
    for (const Planned &it : planned) {
      for (const char *const host : hosts) {
        std::printf("%s\t%s\t\t%s\t%d\n", it.scenario.name.c_str(), host, it.subject.c_str(), it.threads);
      }
    }
    return;
  }
  const Effort &effort = options.quick ? quick : full;
  std::map<std::string, Stub> stubs;
  std::ofstream out;
  if (options.out) {
    out.exceptions(std::ofstream::failbit | std::ofstream::badbit);
    out.open(*options.out);
    out.precision(17);
    out << '[';
  }
  bool is_first = true;
  for (const Planned &it : planned) {
    Stub &stub = stubs[it.address];
    if (!stub) {
      stub = connect(it.address);
    }
    std::vector<Operation> operations;
    for (int thread = 0; thread < it.threads; ++thread) {
      operations.push_back(it.scenario.make(stub));
    }
    if (!operations.front()(true)) {
      throw std::runtime_error("`" + it.scenario.name + "` answers something else");
    }
    if (options.smoke) {
      std::printf("ok: cpp, %s, %s, threads %d\n", it.subject.c_str(), it.scenario.name.c_str(), it.threads);
      continue;
    }
    std::vector<double> samples;
    std::optional<Single> single;
    if (it.threads == 1) {
      Measured measured = alone(effort, operations.front());
      samples = std::move(measured.samples);
      single = measured.single;
    } else {
      samples = together(effort, operations);
    }
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    std::fprintf(stderr, "cpp, %s, %s, threads %d: %.1f µs\n", it.subject.c_str(), it.scenario.name.c_str(), it.threads,
                 quantile(sorted, 0.5) / 1e3);
    if (options.out) {
      for (const char *const host : hosts) {
        out << (is_first ? "" : ",");
        write(out, host, it, samples, single);
        is_first = false;
      }
    }
  }
  if (options.out) {
    out << "]\n";
    out.close();
    std::ofstream tools(std::filesystem::path(*options.out).replace_filename("tools-grpc-cpp.json"));
    tools << R"({"grpc++":")" << grpc::Version() << R"("})";
  }
}

} // namespace

int main(int count, char **arguments) {
  try {
    run(options_of(count, arguments));
    return 0;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}

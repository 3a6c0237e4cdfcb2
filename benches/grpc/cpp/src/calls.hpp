// What the client in C++ calls: every scenario as an operation that can be run again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench.grpc.pb.h"

// An operation, which tells whether the answer was right. It looks at all of the answer only when it's told to check; otherwise
// at as much as a caller has to in order to use it.
using Operation = std::function<bool(bool check)>;

// A warm channel's stub, called as blocking code calls it.
using Stub = std::shared_ptr<rustbridge::bench::Bench::Stub>;

struct Scenario {
  // As in the catalogue.
  std::string name;
  // Whether it's measured with client and server on one core, too: those with small messages.
  bool pinned;
  std::function<Operation(Stub)> make;
};

// The scenario that is measured on several threads.
extern const char *const threaded;

// All scenarios, in the catalogue's order.
std::vector<Scenario> scenarios();

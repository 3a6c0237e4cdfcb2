// Measuring one operation again and again, or on several threads at once, as the clients in other languages do.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "calls.hpp"

// How long to measure.
struct Effort {
  // Before anything counts.
  std::chrono::nanoseconds warm_up;
  // For each measure.
  std::chrono::nanoseconds measure;
  // How many operations at least, however long they take.
  std::size_t least;
  // A sample is the mean of as many operations as fill this.
  std::chrono::nanoseconds batch;
};

// For a claim, and for a look.
extern const Effort full, quick;

// Times of single operations, in nanoseconds.
struct Single {
  std::size_t count;
  double p50, p90, p99, p999;
  // What two adjacent readings of the clock differ by.
  double clock;
};

struct Measured {
  // Nanoseconds of an operation.
  std::vector<double> samples;
  Single single;
};

// Times every operation by itself; the samples are means of operations one after another. Throws when an answer is wrong.
Measured alone(const Effort &effort, const Operation &operation);

// Runs each operation on a thread. A sample is the time of one operation on one thread, over some milliseconds of all of them.
std::vector<double> together(const Effort &effort, const std::vector<Operation> &operations);

// The value below which that share of the sorted values lies, between two of them if need be.
double quantile(const std::vector<double> &sorted, double share);

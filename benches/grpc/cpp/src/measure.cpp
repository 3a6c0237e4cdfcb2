// How an operation is timed: see the header.

#include "measure.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

const Effort full{200ms, 800ms, 200, 10ms};
const Effort quick{40ms, 80ms, 10, 5ms};

namespace {

// At most so many samples per measure.
constexpr std::size_t most = 100;

double nanoseconds(Clock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }

void once(const Operation &operation) {
  if (!operation(false)) {
    throw std::runtime_error("an answer isn't what it should be");
  }
}

// Keeps at most so many values, evenly by their order.
std::vector<double> thin(std::vector<double> samples) {
  if (samples.size() <= most) {
    return samples;
  }
  std::sort(samples.begin(), samples.end());
  std::vector<double> kept;
  for (std::size_t index = 0; index < most; ++index) {
    kept.push_back(samples[index * (samples.size() - 1) / (most - 1)]);
  }
  return kept;
}

double clock_reading() {
  std::vector<double> readings;
  for (int reading = 0; reading < 1001; ++reading) {
    const Clock::time_point before = Clock::now();
    readings.push_back(nanoseconds(Clock::now() - before));
  }
  std::sort(readings.begin(), readings.end());
  return quantile(readings, 0.5);
}

} // namespace

double quantile(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - static_cast<double>(low));
}

Measured alone(const Effort &effort, const Operation &operation) {
  for (const Clock::time_point end = Clock::now() + effort.warm_up; Clock::now() < end;) {
    once(operation);
  }
  std::vector<double> times;
  std::vector<double> samples;
  const Clock::time_point end = Clock::now() + effort.measure;
  while (Clock::now() < end || times.size() < effort.least) {
    const std::size_t first = times.size();
    double batch = 0;
    while (batch < nanoseconds(effort.batch)) {
      const Clock::time_point before = Clock::now();
      once(operation);
      times.push_back(nanoseconds(Clock::now() - before));
      batch += times.back();
    }
    samples.push_back(batch / static_cast<double>(times.size() - first));
  }
  std::sort(times.begin(), times.end());
  const Single single{times.size(),           quantile(times, 0.5),  quantile(times, 0.9),
                      quantile(times, 0.99), quantile(times, 0.999), clock_reading()};
  return {thin(std::move(samples)), single};
}

std::vector<double> together(const Effort &effort, const std::vector<Operation> &operations) {
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> count = 0;
  std::mutex lock;
  std::exception_ptr problem;
  std::vector<std::jthread> threads;
  for (const Operation &operation : operations) {
    threads.emplace_back([&] {
      try {
        while (!stop.load(std::memory_order_relaxed)) {
          once(operation);
          count.fetch_add(1, std::memory_order_relaxed);
        }
      } catch (...) {
        const std::scoped_lock held(lock);
        problem = std::current_exception();
        stop = true;
      }
    });
  }
  std::vector<double> samples;
  std::this_thread::sleep_for(effort.warm_up);
  const Clock::time_point end = Clock::now() + effort.measure;
  Clock::time_point before = Clock::now();
  std::uint64_t done = count;
  while (before < end && !stop) {
    std::this_thread::sleep_for(2 * effort.batch);
    const Clock::time_point now = Clock::now();
    const std::uint64_t sum = count;
    if (sum > done) {
      samples.push_back(nanoseconds(now - before) * static_cast<double>(operations.size()) / static_cast<double>(sum - done));
      before = now;
      done = sum;
    }
  }
  stop = true;
  threads.clear();
  if (problem) {
    std::rethrow_exception(problem);
  }
  return thin(std::move(samples));
}

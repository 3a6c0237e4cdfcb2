/* Part of rustbridge.hpp. Exceptions of this program on their way through a plugin. */
#ifndef RUSTBRIDGE_CAUSES_HPP
#define RUSTBRIDGE_CAUSES_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace rustbridge::detail {

/// A table of exceptions. A plugin receives the name of an exception here, and returns it with its own error if it fails with that one. So the
/// caller's error has the original exception.
class Causes {
 public:
  /// How many are kept at most, and how long: a plugin may never send one back.
  static constexpr std::size_t limit = 256;
  static constexpr std::chrono::seconds time{60};

  static Causes& all() {
    static Causes causes;
    return causes;
  }

  /// Stores an exception and returns its name.
  std::string keep(std::exception_ptr thrown) {
    auto now = std::chrono::steady_clock::now();
    // Destroyed without the lock, because an exception's destructor belongs to the program.
    std::deque<Entry> gone;
    std::lock_guard lock(mutex_);
    std::string name = prefix_ + std::to_string(++last_);
    kept_.push_back({name, std::move(thrown), now});
    while (kept_.size() > limit || now - kept_.front().since > time) {
      gone.push_back(std::move(kept_.front()));
      kept_.pop_front();
    }
    return name;
  }

  /// Gives the exception of a name, which is kept no longer; null if there's none.
  std::exception_ptr take(std::string_view name) {
    std::lock_guard lock(mutex_);
    for (auto at = kept_.begin(); at != kept_.end(); ++at) {
      if (at->name == name) {
        std::exception_ptr thrown = std::move(at->thrown);
        kept_.erase(at);
        return thrown;
      }
    }
    return nullptr;
  }

 private:
  struct Entry {
    std::string name;
    std::exception_ptr thrown;
    std::chrono::steady_clock::time_point since;
  };

  Causes() {
    // Another binding in this process, or another library with this header, has other names.
    std::random_device random;
    prefix_ = std::to_string(random()) + "-" + std::to_string(random()) + "-";
  }

  std::mutex mutex_;
  std::string prefix_;
  std::uint64_t last_ = 0;
  std::deque<Entry> kept_;
};

}  // namespace rustbridge::detail

#endif  // RUSTBRIDGE_CAUSES_HPP

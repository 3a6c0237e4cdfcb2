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

/// A plugin gets the name by which an exception is found here, and sends it back with its own error if that is the one that it fails with. So
/// what the caller catches knows the exception.
class Causes {
 public:
  /// How many are kept at most, and how long: a plugin may never send one back.
  static constexpr std::size_t limit = 256;
  static constexpr std::chrono::seconds time{60};

  static Causes& all() {
    static Causes causes;
    return causes;
  }

  /// Keeps an exception; gives its name.
  std::string keep(std::exception_ptr thrown) {
    auto now = std::chrono::steady_clock::now();
    // Destroyed without the lock: an exception's destructor is the program's.
    std::deque<Kept> gone;
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
  struct Kept {
    std::string name;
    std::exception_ptr thrown;
    std::chrono::steady_clock::time_point since;
  };

  Causes() {
    // Another binding in this process, or another library with this header, has names of its own.
    std::random_device random;
    prefix_ = std::to_string(random()) + "-" + std::to_string(random()) + "-";
  }

  std::mutex mutex_;
  std::string prefix_;
  std::uint64_t last_ = 0;
  std::deque<Kept> kept_;
};

}  // namespace rustbridge::detail

#endif  // RUSTBRIDGE_CAUSES_HPP

/* Part of rustbridge.hpp. Values that stay in the plugin. */
#ifndef RUSTBRIDGE_OBJECT_HPP
#define RUSTBRIDGE_OBJECT_HPP

#include <string>
#include <string_view>
#include <utility>

#include "error.hpp"

namespace rustbridge {

class Method;
class Response;
class Stream;
struct CallOptions;

/// A value that stays in the plugin, and that this has a hold of: the plugin drops it when this goes. One that was moved from, released,
/// or made by default holds nothing.
class Object {
 public:
  Object() noexcept = default;
  /// Takes over a number that an answer came with.
  Object(rb_instance instance, rb_object number) noexcept : instance_(instance), number_(number) {}
  Object(Object&& other) noexcept : instance_(other.instance_), number_(std::exchange(other.number_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    if (this != &other) {
      release();
      instance_ = other.instance_;
      number_ = std::exchange(other.number_, 0);
    }
    return *this;
  }
  ~Object() { release(); }

  /// Its number, for `CallOptions::objects`; 0 if this is empty.
  rb_object number() const noexcept { return number_; }
  /// The instance that it belongs to.
  rb_instance instance() const noexcept { return instance_; }
  explicit operator bool() const noexcept { return number_ != 0; }

  /// Releases it: the plugin drops it, now or when no call borrows it any longer. `not_found`: it had ended with its instance.
  /// `invalid_argument`: this is empty.
  Status release() noexcept {
    rb_object number = std::exchange(number_, 0);
    return number == 0 ? Status::invalid_argument : detail::known(rb_object_release(number));
  }

  /// Transfers the number to the caller, who must release it.
  rb_object take() noexcept { return std::exchange(number_, 0); }

  /// Finds a method of it, for example `Counter.add`, which must be called with this as its first borrowed object.
  Method prepare(std::string_view method, Encoding encoding = Encoding::json) const;
  /// Calls a method of it in JSON. The options' objects follow it.
  std::string call_json(std::string_view method, std::string_view json) const;
  std::string call_json(std::string_view method, std::string_view json, CallOptions options) const;
  /// Calls a method of it.
  Response call(std::string_view method, Encoding encoding, BytesView request, CallOptions options) const;
  Response call(std::string_view method, Encoding encoding, BytesView request) const;

 private:
  rb_instance instance_ = 0;
  rb_object number_ = 0;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_OBJECT_HPP

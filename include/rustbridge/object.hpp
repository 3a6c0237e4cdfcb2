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

  /// What it's lent by, in `CallOptions::objects`; 0 of one that holds nothing.
  rb_object number() const noexcept { return number_; }
  /// The instance that it's in.
  rb_instance instance() const noexcept { return instance_; }
  explicit operator bool() const noexcept { return number_ != 0; }

  /// Lets go of it: the plugin drops it, now or when it's no longer lent to a call. `not_found`: it had gone with its instance.
  /// `invalid_argument`: this holds nothing.
  Status release() noexcept {
    rb_object number = std::exchange(number_, 0);
    return number == 0 ? Status::invalid_argument : detail::known(rb_object_release(number));
  }

  /// Gives the number up to whoever releases it.
  rb_object take() noexcept { return std::exchange(number_, 0); }

  /// Finds a method of it, e.g. `Counter.add`, which has to be called with this lent first.
  Method prepare(std::string_view method, Encoding encoding = Encoding::json) const;
  /// Calls a method of it in JSON. What the options lend follows it.
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

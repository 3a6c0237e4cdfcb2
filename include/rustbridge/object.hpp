/* Part of rustbridge.hpp. Objects: values that stay in the plugin. */
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

/// Owns an object, a value that stays in the plugin. The destructor releases the object. An instance of this class that was
/// default-constructed, moved from or released is empty.
class Object {
 public:
  Object() noexcept = default;
  /// Takes ownership of an object by its number, which a response returned.
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

  /// Returns the object's number, for `CallOptions::objects`; 0 if this is empty.
  rb_object number() const noexcept { return number_; }
  /// Returns the plugin instance that the object belongs to.
  rb_instance instance() const noexcept { return instance_; }
  explicit operator bool() const noexcept { return number_ != 0; }

  /// Releases the object. The plugin drops it now, or once no call borrows it any longer. `not_found`: it had ended with its instance.
  /// `invalid_argument`: this is empty.
  Status release() noexcept {
    rb_object number = std::exchange(number_, 0);
    return number == 0 ? Status::invalid_argument : detail::known(rb_object_release(number));
  }

  /// Returns the number and leaves this empty. The caller must release the object.
  rb_object take() noexcept { return std::exchange(number_, 0); }

  /// Prepares a method of the object, for example `Counter.add`. Calls of it must pass this as the first borrowed object.
  Method prepare(std::string_view method, Encoding encoding = Encoding::json) const;
  /// Calls a method of the object in JSON. The call borrows this object first, then the objects of the options.
  std::string call_json(std::string_view method, std::string_view json) const;
  std::string call_json(std::string_view method, std::string_view json, CallOptions options) const;
  /// Calls a method of the object. The call borrows this object first, then the objects of the options.
  Response call(std::string_view method, Encoding encoding, BytesView request, CallOptions options) const;
  Response call(std::string_view method, Encoding encoding, BytesView request) const;

 private:
  rb_instance instance_ = 0;
  rb_object number_ = 0;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_OBJECT_HPP

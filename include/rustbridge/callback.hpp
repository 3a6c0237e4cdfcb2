/* Part of rustbridge_typed.hpp. Callbacks: objects of the host behind an interface that the plugin declares. */
#ifndef RUSTBRIDGE_CALLBACK_HPP
#define RUSTBRIDGE_CALLBACK_HPP

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "../rustbridge_typed.hpp"

namespace rustbridge {

/// The objects of the host that a plugin refers to by numbers. Several threads may use it at once.
template <class Interface>
class HostObjects {
 public:
  /// Adds an object, and returns its number.
  std::uint64_t add(std::shared_ptr<Interface> object) {
    std::lock_guard lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return last_;
  }
  /// Returns the object with a number; null if the plugin has released it.
  std::shared_ptr<Interface> find(std::uint64_t number) const {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(number);
    return found == objects_.end() ? nullptr : found->second;
  }
  void remove(std::uint64_t number) {
    std::shared_ptr<Interface> removed;
    std::lock_guard lock(mutex_);
    if (auto found = objects_.find(number); found != objects_.end()) {
      // Destroyed after the lock is released, because the destructor is the program's.
      removed = std::move(found->second);
      objects_.erase(found);
    }
  }
  /// Removes all objects, because the plugin was closed.
  void clear() {
    std::unordered_map<std::uint64_t, std::shared_ptr<Interface>> removed;
    std::lock_guard lock(mutex_);
    // Destroyed after the lock is released, because the destructors are the program's.
    removed.swap(objects_);
  }
  /// Returns how many objects the plugin refers to.
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return objects_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<Interface>> objects_;
};

/// The prepared methods that create an object of the plugin from the number of a host's object, and that return the number.
class CallbackMethods {
 public:
  CallbackMethods(rb_instance instance, std::string_view create, std::string_view create_fingerprint, std::string_view number,
                  std::string_view number_fingerprint, std::string_view client_schema)
      : create_(Method::typed(instance, create, create_fingerprint, client_schema)),
        number_(Method::typed(instance, number, number_fingerprint, client_schema)) {}

  Object create(std::uint64_t number) const {
    Response response = create_.call(BytesView::of(number), {});
    if (response.objects().empty()) {
      throw Error(Status::internal, "the plugin returned no object for an object of the host", "rustbridge.InvalidResponse");
    }
    return std::move(response.objects().front());
  }
  /// Returns the number of the host's object, or 0 if the object is the plugin's.
  std::uint64_t number(const Object& object) const {
    CallOptions options;
    options.objects.push_back(object.number());
    Response response = number_.call(BytesView(), options);
    std::uint64_t number = 0;
    BytesView bytes = response.bytes();
    if (bytes.size() != sizeof number) {
      throw Error(Status::internal, "the plugin returned an invalid number of an object", "rustbridge.InvalidResponse");
    }
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }

 private:
  Method create_;
  Method number_;
};

/// The methods and objects of a client for one callback. The objects are null if the client was created for an instance that was loaded without it.
template <class Interface>
struct Callback {
  CallbackMethods methods;
  std::shared_ptr<HostObjects<Interface>> objects;
};

/// Returns the service by which the plugin calls a function of its host's objects. Exceptions of the class `Failure` reach the plugin with their type.
template <class Answer, class Failure, class... Parameters, class Interface, class Function>
Service callback_service(std::string name, std::shared_ptr<HostObjects<Interface>> objects, Function function) {
  using Request = std::tuple<std::uint64_t, Parameters...>;
  auto call = [name, objects = std::move(objects), function](const Request& request) -> Answer {
    return std::apply(
        [&](std::uint64_t number, const Parameters&... parameters) -> Answer {
          std::shared_ptr<Interface> object = objects->find(number);
          if (!object) {
            throw Error(Status::not_found, "callback " + name + ": the host has no object " + std::to_string(number) + ": it was released",
                        "rustbridge.ObjectReleased");
          }
          return std::invoke(function, *object, parameters...);
        },
        request);
  };
  return typed_service<Request, Answer, Failure>(std::move(name), std::move(call));
}

/// The methods of a client, for the functions of its callbacks, which are registered before the methods are prepared. It doesn't keep them.
class Connection {
 public:
  void set(const wire::Context& methods) {
    std::lock_guard lock(mutex_);
    methods_ = methods;
  }
  /// Returns the methods; null if the client and its objects were destroyed.
  template <class Methods>
  std::shared_ptr<const Methods> methods() const {
    std::lock_guard lock(mutex_);
    return std::static_pointer_cast<const Methods>(methods_.lock());
  }

 private:
  mutable std::mutex mutex_;
  std::weak_ptr<const void> methods_;
};

/// Returns the service for a function with objects among its arguments or in its result, which cross by methods of the plugin. Its request is
/// the number of the host's object and the number of the call. `arguments` and `result` are these methods, members of `Methods`, or null.
template <class Methods, class Answer, class Failure, class... Parameters, class Interface, class Function, class Arguments, class Result>
Service crossing_service(std::string name, std::shared_ptr<HostObjects<Interface>> objects, Function function,
                         std::shared_ptr<Connection> connection, Arguments arguments, Result result) {
  constexpr bool has_result = !std::is_null_pointer_v<Result>;
  using Answered = std::conditional_t<has_result, void, Answer>;
  auto call = [name, objects = std::move(objects), function, connection = std::move(connection), arguments,
               result](const std::tuple<std::uint64_t, std::uint64_t>& request) -> Answered {
    const auto& [number, in] = request;
    std::shared_ptr<Interface> object = objects->find(number);
    if (!object) {
      throw Error(Status::not_found, "callback " + name + ": the host has no object " + std::to_string(number) + ": it was released",
                  "rustbridge.ObjectReleased");
    }
    std::shared_ptr<const Methods> methods = connection->methods<Methods>();
    if (!methods) {
      throw Error(Status::failed_precondition, "callback " + name + ": its client was destroyed", "rustbridge.InstanceClosed");
    }
    Beside beside{nullptr, methods};
    auto answered = [&]() -> Answer {
      if constexpr (sizeof...(Parameters) == 0) {
        return std::invoke(function, *object);
      } else {
        auto given = ((*methods).*arguments).call(in, CallOptions(), beside);
        if constexpr (sizeof...(Parameters) == 1) {
          return std::invoke(function, *object, std::move(given));
        } else {
          auto invoked = [&](Parameters&... each) -> Answer { return std::invoke(function, *object, std::move(each)...); };
          return std::apply(invoked, given);
        }
      }
    };
    if constexpr (has_result) {
      ((*methods).*result).call(std::tuple<std::uint64_t, Answer>(in, answered()), CallOptions(), beside);
    } else {
      return answered();
    }
  };
  return typed_service<std::tuple<std::uint64_t, std::uint64_t>, Answered, Failure>(std::move(name), std::move(call));
}

/// Returns the service by which the plugin releases its host's objects. When the plugin is closed, the remaining objects are released, too.
template <class Interface>
Service release_service(std::string name, std::shared_ptr<HostObjects<Interface>> objects) {
  struct Registration {
    std::shared_ptr<HostObjects<Interface>> objects;
    explicit Registration(std::shared_ptr<HostObjects<Interface>> of) : objects(std::move(of)) {}
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    ~Registration() { objects->clear(); }
  };
  // Destroyed with the last copy of the service, which the plugin has.
  auto registration = std::make_shared<Registration>(std::move(objects));
  auto release = [registration = std::move(registration)](const std::uint64_t& number) { registration->objects->remove(number); };
  return typed_service<std::uint64_t, void>(std::move(name), std::move(release)).as_short();
}

namespace wire {

/// An implementation of a callback: the position of an object among those that accompany the message. `Remote` implements the interface by
/// an object of the plugin. `Methods` has the callback by `of(std::type_identity<Interface>)`.
template <class Interface, class Remote, class Methods>
struct CallbackObject : Traits<4> {
  template <class Out>
  static void write(Out& out, const std::shared_ptr<Interface>& value) {
    if (!value) {
      out.fail("the object is null");
    }
    if (const auto* remote = dynamic_cast<const Remote*>(value.get())) {
      out.object(remote->untyped());
      return;
    }
    LentObjects* lent = out.lent();
    if (lent == nullptr || !lent->context) {
      out.fail("objects can't accompany this message");
    }
    const auto& callback = static_cast<const Methods*>(lent->context.get())->of(std::type_identity<Interface>());
    if (!callback.objects) {
      throw Error(Status::failed_precondition,
                  "an object of the host can't be passed: this client was created for a plugin that was loaded without it; load the plugin by "
                  "the client",
                  "rustbridge.NoServices");
    }
    std::uint64_t number = callback.objects->add(value);
    try {
      lent->created.push_back(callback.methods.create(number));
    } catch (...) {
      callback.objects->remove(number);
      throw;
    }
    out.object(lent->created.back());
  }

  template <class In>
  static void read(In& in, std::shared_ptr<Interface>& value) {
    Object object = in.object();
    auto methods = std::static_pointer_cast<const Methods>(in.context());
    if (!methods || !object) {
      // Only to find the path of an error in the message.
      return;
    }
    const auto& callback = methods->of(std::type_identity<Interface>());
    std::uint64_t number = callback.methods.number(object);
    if (number != 0 && callback.objects) {
      value = callback.objects->find(number);
    }
    if (!value) {
      value = std::make_shared<Remote>(std::move(object), std::move(methods));
    }
  }
};

}  // namespace wire

}  // namespace rustbridge

#endif  // RUSTBRIDGE_CALLBACK_HPP

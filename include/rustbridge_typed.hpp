/*
 * rustbridge_typed.hpp: runtime support for clients that `rustbridge gen --language cpp` generates. The guide, docs/guide/types.md, shows
 * such clients. This file is written by hand.
 *
 * The rules of rustbridge.hpp for errors and threads apply. A request that doesn't fit its type is refused before anything is sent, by an
 * `Error` with `invalid_argument` that names the field.
 */

#ifndef RUSTBRIDGE_TYPED_HPP
#define RUSTBRIDGE_TYPED_HPP

#include <compare>
#include <ostream>

#include "rustbridge_wire.hpp"

namespace rustbridge {

/* ---- Errors ---- */

/// A typed error of the plugin, carried by an exception of a client.
template <class Value_>
class TypedError : public Error {
 public:
  using Value = Value_;

  TypedError(const Error& failed, Value value) : Error(failed), value_(std::make_shared<const Value>(std::move(value))) {}

  /// For the host's services to throw. The plugin gets the value, and the status that it declares for it; if the message is empty, the name of
  /// the error's type instead.
  explicit TypedError(Value value, std::string_view message = {})
      : Error(Status::unknown, message), value_(std::make_shared<const Value>(std::move(value))) {}

  /// The error's value.
  const Value& error() const noexcept { return *value_; }

 private:
  std::shared_ptr<const Value> value_;
};

namespace detail {

/// Returns the exception for an error: the typed one if its value can be read.
template <class Failure>
std::exception_ptr exception_of(const Error& failed) {
  if constexpr (!std::same_as<Failure, Error>) {
    if (failed.value()) {
      try {
        return std::make_exception_ptr(Failure(failed, wire::decode<typename Failure::Value>(*failed.value(), "", "error")));
      } catch (const Error&) {
        // The plugin's own message is more useful than the reading error.
      }
    }
  }
  return std::make_exception_ptr(failed);
}

template <class Failure>
[[noreturn]] void raise(const Error& failed) {
  std::rethrow_exception(exception_of<Failure>(failed));
}

/// Calls a function, and throws the typed exception for an error if its value can be read.
template <class Failure, class Function>
auto with_failure(const Function& function) {
  if constexpr (std::same_as<Failure, Error>) {
    return function();
  } else {
    try {
      return function();
    } catch (const Error& failed) {
      raise<Failure>(failed);
    }
  }
}

/// The placeholder for an empty answer.
template <class Answer>
using Held = std::conditional_t<std::is_void_v<Answer>, std::monostate, Answer>;

}  // namespace detail

/* ---- Results of asynchronous calls ---- */

/// The outcome of a typed call: a value, or the exception it failed with.
template <class Answer>
class Outcome {
 public:
  using Value = detail::Held<Answer>;

  explicit Outcome(Value value) : is_(std::in_place_index<0>, std::move(value)) {}
  explicit Outcome(std::exception_ptr failure) noexcept : is_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const noexcept { return is_.index() == 0; }
  /// Returns the value. Throws the call's exception if it failed.
  Value& value() {
    if (const std::exception_ptr* failed = std::get_if<1>(&is_)) {
      std::rethrow_exception(*failed);
    }
    return *std::get_if<0>(&is_);
  }
  /// Returns the call's exception; null if it succeeded.
  std::exception_ptr failure() const noexcept {
    const std::exception_ptr* failed = std::get_if<1>(&is_);
    return failed == nullptr ? nullptr : *failed;
  }

 private:
  std::variant<Value, std::exception_ptr> is_;
};

/* ---- Streams ---- */

/// The values that a plugin sends, as a single-pass range. Destroying it before its end cancels the call.
template <class Item, class Failure = Error>
class TypedStream {
 public:
  TypedStream(Stream stream, std::string_view method) : stream_(std::move(stream)), method_(method) {}

  /// Waits for the next value. None: the stream is complete. If the plugin ended the stream with an error, throws it after the last value.
  std::optional<Item> next() {
    std::optional<StreamItem> item = detail::with_failure<Failure>([this] { return stream_.next(); });
    if (!item) {
      return std::nullopt;
    }
    return wire::decode<Item>(item->bytes(), method_, "response");
  }

  /// Waits for the first value or the end, and returns the plugin's headers; see `Stream::headers`.
  Metadata headers() { return stream_.headers(); }

  /// Requests cancellation. The call still completes, with `cancelled` or with its result if that came first.
  void cancel() noexcept { stream_.cancel(); }

  /// A single-pass iterator over the values. An increment waits for the next value, and throws as `next` does.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Item;

    Iterator() noexcept = default;
    explicit Iterator(TypedStream& stream) : stream_(&stream), item_(stream.next()) {}
    Item& operator*() const { return *item_; }
    Item* operator->() const { return &*item_; }
    Iterator& operator++() {
      item_ = stream_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) noexcept { return !at.item_; }

   private:
    TypedStream* stream_ = nullptr;
    // An iterator is as constant as a pointer: its target isn't.
    mutable std::optional<Item> item_;
  };

  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 protected:
  Stream stream_;
  std::string_view method_;
};

/// A single-pass iterator that owns its stream: the call is cancelled when the last copy is destroyed before the end.
template <class Item, class Failure = Error>
class ItemIterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = Item;

  ItemIterator() noexcept = default;
  explicit ItemIterator(TypedStream<Item, Failure> stream)
      : stream_(std::make_shared<TypedStream<Item, Failure>>(std::move(stream))), item_(stream_->next()) {}
  const Item& operator*() const noexcept { return *item_; }
  const Item* operator->() const noexcept { return &*item_; }
  ItemIterator& operator++() {
    item_ = stream_->next();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const ItemIterator& at, std::default_sentinel_t) noexcept { return !at.item_; }

 private:
  std::shared_ptr<TypedStream<Item, Failure>> stream_;
  std::optional<Item> item_;
};

/// A stream of values in both directions. One thread may receive while another sends. If one thread does both, sending may wait for the
/// plugin, which waits until values are received: so receive regularly.
template <class Sent, class Item, class Failure = Error>
class Exchange : public TypedStream<Item, Failure> {
 public:
  using TypedStream<Item, Failure>::TypedStream;

  /// Sends a value as soon as the plugin accepts one. False: the plugin accepts no more values, and the end of the stream has the reason. `Error`
  /// with `invalid_argument`: the value doesn't fit the plugin's type, and the stream continues without it.
  bool send(const Sent& value) {
    wire::Output output;
    wire::encode(output, value, this->method_, "items[" + std::to_string(sent_) + "]");
    ++sent_;
    return this->stream_.send(output.bytes());
  }
  /// Sends the values of a range, until the plugin accepts no more.
  template <std::ranges::input_range Values>
  bool send_all(Values&& values) {
    for (auto&& value : values) {
      if (!send(value)) {
        return false;
      }
    }
    return true;
  }
  /// Ends the input: all values were sent. If the stream is destroyed without it, the call is cancelled.
  void finish() { this->stream_.finish(); }
  /// Ends the input with an error: the remaining values can't be sent.
  void fail(const Error& error) { this->stream_.fail(error); }

 private:
  std::size_t sent_ = 0;
};

/* ---- Methods ---- */

/// The data that accompanies a typed call: the method's receiver, and the client that owns the objects of its answer.
struct Beside {
  const Object* receiver = nullptr;
  wire::Context context{};
};

/// The layout of requests and responses in the wire format.
struct WireForm {
  /// Writes a request and returns its bytes, which belong to the output.
  template <class Request>
  static BytesView write(wire::Output& output, const Request& request, std::string_view method, wire::LentObjects* lent = nullptr) {
    wire::encode(output, request, method, "request", lent);
    return output.bytes();
  }
  /// Reads a response.
  template <class Value>
  static Value read(BytesView message, std::string_view method, std::span<Object> objects = {}, const wire::Context* context = nullptr) {
    return wire::decode<Value>(message, method, "response", objects, context);
  }
};

/// The layout of requests and responses that are plain bytes or text. A request is passed to the plugin without a copy.
struct RawForm {
  static BytesView write(wire::Output&, BytesView request, std::string_view, wire::LentObjects* = nullptr) {
    return request;
  }
  static BytesView write(wire::Output&, std::monostate, std::string_view, wire::LentObjects* = nullptr) {
    return {};
  }
  template <class Value>
  static Value read(BytesView message, std::string_view method, std::span<Object> = {}, const wire::Context* = nullptr) {
    std::string_view text(reinterpret_cast<const char*>(message.data()), message.size());
    if constexpr (std::same_as<Value, std::string>) {
      if (wire::valid_up_to(text) == text.size()) {
        return std::string(text);
      }
    } else if constexpr (std::same_as<Value, std::monostate>) {
      if (text.empty()) {
        return {};
      }
    } else {
      auto bytes = std::as_bytes(std::span(text));
      return Value(bytes.begin(), bytes.end());
    }
    throw Error(Status::internal, std::string(method) + ": the plugin's response doesn't match its type", "rustbridge.InvalidResponse");
  }
};

/// A prepared method of a client, which is cheap to copy. `Failure` is the exception for the method's error type, if it has one. `Form` is
/// the layout of its messages.
template <class Answer, class Failure = Error, class Form = WireForm>
class TypedMethod {
  using Value = detail::Held<Answer>;

 public:
  TypedMethod() noexcept = default;
  /// `Error` with `failed_precondition`: the plugin's types are incompatible with the client's. `name` isn't copied and must outlive this.
  TypedMethod(rb_instance instance, std::string_view name, std::string_view fingerprint, std::string_view client_schema)
      : method_(Method::typed(instance, name, fingerprint, client_schema)), name_(name) {}

  /// Returns the method without its types.
  const Method& untyped() const noexcept { return method_; }

  /// Calls the method, on this thread. A small request is written on the stack. The response is read without a copy of its bytes.
  template <class Request>
  Answer call(const Request& request) const {
    wire::Output output;
    BytesView bytes = Form::write(output, request, name_);
    alignas(16) std::byte storage[1024];
    struct Raw {
      rb_response is{};
      ~Raw() {
        if (is.release != nullptr) {
          rb_response_release(&is);
        }
      }
    } raw;
    raw.is.data = reinterpret_cast<std::uint8_t*>(storage);
    raw.is.capacity = sizeof storage;
    rb_status status = rb_call(method_.instance(), method_.entry(), bytes.data(), bytes.size(), &raw.is);
    if (status != RB_OK) [[unlikely]] {
      detail::raise<Failure>(Error::of(status, BytesView(raw.is.data, raw.is.len)));
    }
    return static_cast<Answer>(Form::template read<Value>(BytesView(raw.is.data, raw.is.len), name_));
  }

  /// Calls the method with options and objects.
  template <class Request>
  Answer call(const Request& request, const CallOptions& options, const Beside& beside = {}) const {
    PreparedRequest prepared(*this, request, options, beside);
    return static_cast<Answer>(read(call_untyped(prepared), beside.context));
  }

  /// Calls the method without waiting. The function is called once with the outcome, on any thread, possibly this one. It mustn't block.
  template <class Request>
  PendingCall call_async(const Request& request, const CallOptions& options, const Beside& beside,
                       std::function<void(Outcome<Answer>)> done) const {
    if (!done) {
      throw Error(Status::invalid_argument, "the function is empty");
    }
    PreparedRequest prepared(*this, request, options, beside);
    auto tell = [name = name_, context = beside.context, done = std::move(done)](Result result) {
      done(outcome(name, context, result));
    };
    return method_.call_async(prepared.bytes, prepared.options, std::move(tell));
  }

  /// Calls the method without waiting. Destroying the future doesn't cancel the call; `CallOptions::cancellation` does.
  template <class Request>
  std::future<Answer> call_async(const Request& request, const CallOptions& options, const Beside& beside) const {
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    call_async(request, options, beside, [promise](Outcome<Answer> outcome) {
      if (!outcome) {
        promise->set_exception(outcome.failure());
      } else if constexpr (std::is_void_v<Answer>) {
        promise->set_value();
      } else {
        promise->set_value(std::move(outcome.value()));
      }
    });
    return future;
  }

  /// Starts a stream of values from the plugin.
  template <class Request>
  TypedStream<Answer, Failure> stream(const Request& request, const CallOptions& options, const Beside& beside) const {
    PreparedRequest prepared(*this, request, options, beside);
    return {method_.stream(prepared.bytes, prepared.options), name_};
  }

  /// Starts a stream of values in both directions.
  template <class Sent, class Request>
  Exchange<Sent, Answer, Failure> exchange(const Request& request, const CallOptions& options, const Beside& beside) const {
    PreparedRequest prepared(*this, request, options, beside);
    return {method_.stream(prepared.bytes, prepared.options), name_};
  }

  /// Sends the values of a range, and waits for the response. If the range throws, the call is cancelled and the exception is thrown.
  template <class Sent, class Request, class Values>
  Answer send(const Request& request, Values&& values, const CallOptions& options, const Beside& beside) const {
    PreparedRequest prepared(*this, request, options, beside);
    Stream stream = method_.stream(prepared.bytes, prepared.options);
    std::size_t sent = 0;
    for (auto&& value : values) {
      const Sent& item = value;
      wire::Output output;
      wire::encode(output, item, name_, "items[" + std::to_string(sent++) + "]");
      if (!stream.send(output.bytes())) {
        break;
      }
    }
    stream.finish();
    Response response = detail::with_failure<Failure>([&stream] { return stream.response(); });
    return static_cast<Answer>(read(std::move(response), beside.context));
  }

 private:
  /// A written request together with its call context.
  struct PreparedRequest {
    wire::Output output;
    BytesView bytes;
    CallOptions options;
    wire::LentObjects lent;

    template <class Request>
    PreparedRequest(const TypedMethod& method, const Request& request, const CallOptions& given, const Beside& beside) : options(given) {
      lent.instance = method.method_.instance();
      lent.context = beside.context;
      if (beside.receiver != nullptr) {
        if (!*beside.receiver) {
          throw Error(Status::invalid_argument, std::string(method.name_) + ": the object was released, or moved elsewhere");
        }
        lent.numbers.push_back(beside.receiver->number());
      }
      bytes = Form::write(output, request, method.name_, &lent);
      options.objects.insert(options.objects.begin(), lent.numbers.begin(), lent.numbers.end());
    }
  };

  Response call_untyped(const PreparedRequest& prepared) const {
    return detail::with_failure<Failure>([&] { return method_.call(prepared.bytes, prepared.options); });
  }

  Value read(Response response, const wire::Context& context) const {
    return Form::template read<Value>(response.bytes(), name_, response.objects(), &context);
  }

  static Outcome<Answer> outcome(std::string_view name, const wire::Context& context, Result& result) {
    if (const Error* failed = result.error()) {
      return Outcome<Answer>(detail::exception_of<Failure>(*failed));
    }
    try {
      Response& response = result.response();
      return Outcome<Answer>(Form::template read<Value>(response.bytes(), name, response.objects(), &context));
    } catch (...) {
      return Outcome<Answer>(std::current_exception());
    }
  }

  Method method_;
  std::string_view name_;
};

/* ---- Clients and objects ---- */

/// The base of a client: its prepared methods, and the plugin if the client has loaded it. It can be moved, not copied.
template <class Methods>
class TypedClient {
 public:
  /// Returns the plugin that the client loaded and closes. It's empty if the client was created for an instance that it doesn't own.
  const Plugin& plugin() const noexcept { return plugin_; }

 protected:
  /// `given` is passed to the methods.
  template <class... Given>
  explicit TypedClient(Plugin plugin, const Given&... given)
      : methods_(std::make_shared<const Methods>(plugin.handle(), given...)), plugin_(std::move(plugin)) {}
  explicit TypedClient(rb_instance instance) : methods_(std::make_shared<const Methods>(instance)) {}

  const Methods& methods() const {
    if (!methods_) {
      throw Error(Status::failed_precondition, "the client was moved elsewhere");
    }
    return *methods_;
  }
  /// For calls whose responses contain objects.
  Beside beside() const { return {nullptr, methods_}; }

 private:
  std::shared_ptr<const Methods> methods_;
  /// Closed before the methods are destroyed, because destructors of the host's objects may call the client.
  Plugin plugin_;
};

/// The base of a client's object: a value that stays in the plugin. The destructor releases it. It can be moved, not copied. One that was
/// default-constructed, moved from or released is empty, and calls of it are refused.
template <class Methods>
class TypedObject {
 public:
  TypedObject() noexcept = default;
  TypedObject(Object object, std::shared_ptr<const Methods> methods) noexcept
      : object_(std::move(object)), methods_(std::move(methods)) {}

  explicit operator bool() const noexcept { return static_cast<bool>(object_); }
  /// Returns the object without its type.
  const Object& untyped() const noexcept { return object_; }
  /// Releases the object, as the destructor does.
  Status release() noexcept { return object_.release(); }

 protected:
  const Methods& methods() const {
    if (!methods_) {
      throw Error(Status::invalid_argument, "the object is empty: it was moved from, or created without a value");
    }
    return *methods_;
  }
  Beside beside() const { return {&object_, methods_}; }

 private:
  Object object_;
  std::shared_ptr<const Methods> methods_;
};

namespace wire {

/// An object: its position among the objects that accompany the message.
template <class Value, class Methods>
struct BorrowedObject : Traits<4> {
  template <class Out>
  static void write(Out& out, const Value& value) {
    out.object(value.untyped());
  }
  template <class In>
  static void read(In& in, Value& value) {
    value = Value(in.object(), std::static_pointer_cast<const Methods>(in.context()));
  }
};

}  // namespace wire

/* ---- Operations of objects ---- */

namespace detail {

/// Returns a text of the plugin. If the call fails, the text states the error: printing code expects a text.
template <class Call>
std::string text_of(std::string_view name, const Call& call) {
  try {
    return call();
  } catch (const Error& failed) {
    return "<" + std::string(name) + ": " + failed.message() + ">";
  }
}

/// Refuses to compare objects of different instances.
inline void check_order(bool same_instance) {
  if (!same_instance) {
    throw Error(Status::invalid_argument,
                "objects of different instances have no order: compare each with those of its instance");
  }
}

}  // namespace detail

/* ---- Services ---- */

namespace detail {

/// Writes the response for a plugin. `Error` with `internal`: it doesn't fit the service's type, which isn't the plugin's fault.
template <class Answer>
void write_answered(wire::Output& output, const Answer& answer, const std::string& name) {
  try {
    wire::encode(output, answer, name, "response");
  } catch (const Error& unfit) {
    Status status = unfit.status() == Status::invalid_argument ? Status::internal : unfit.status();
    throw Error(status, unfit.message(), "rustbridge.InvalidResponse", unfit.details());
  }
}

}  // namespace detail

namespace detail {

/// An error with its type, as a plugin gets it.
class ThrownError : public Error {
 public:
  ThrownError(const Error& failed, std::string value) : Error(failed.message(), std::move(value)) {}
};

/// Calls a function of a service. Exceptions of the class `Failure` reach the plugin with their type.
template <class Failure, class Function>
auto calling(const std::string& name, const Function& function) {
  if constexpr (std::same_as<Failure, Error>) {
    return function();
  } else {
    try {
      return function();
    } catch (const Failure& failed) {
      wire::Output output;
      write_answered(output, failed.error(), name);
      throw ThrownError(failed, std::string(output.bytes().text()));
    }
  }
}

}  // namespace detail

/// Returns a service whose requests and responses are typed. If the function throws an `Error`, the plugin receives it unchanged; if it throws a
/// `Failure`, with its type. Any other exception, or a response that doesn't fit its type, becomes an error with `internal`.
template <class Request, class Answer, class Failure = Error>
Service typed_service(std::string name, std::function<Answer(const Request&)> function) {
  auto call = [name, function = std::move(function)](const ServiceCall& given) {
    auto request = wire::decode<Request>(given.request, name, "request", {}, nullptr, wire::request_role);
    wire::Output output;
    if constexpr (std::is_void_v<Answer>) {
      detail::calling<Failure>(name, [&] { function(request); });
    } else {
      detail::write_answered<Answer>(output, detail::calling<Failure>(name, [&] { return function(request); }), name);
    }
    return std::string(output.bytes().text());
  };
  return Service(std::move(name), Encoding::wire, std::move(call));
}

}  // namespace rustbridge

#include "rustbridge/callback.hpp"

#endif  // RUSTBRIDGE_TYPED_HPP

/* Part of rustbridge.hpp. Answers, and how calls have ended that nobody has waited for. */
#ifndef RUSTBRIDGE_RESPONSE_HPP
#define RUSTBRIDGE_RESPONSE_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "object.hpp"

namespace rustbridge {

/// An answer, or other bytes, with the memory that holds them: this object's own for a few bytes, otherwise the plugin's.
class Response {
 public:
  /// So many bytes need no memory but this.
  static constexpr std::size_t own_bytes = 256;

  Response() noexcept {}
  Response(Response&& other) noexcept { take(other); }
  Response& operator=(Response&& other) noexcept {
    if (this != &other) {
      rb_response_release(&handed_);
      take(other);
    }
    return *this;
  }
  ~Response() { rb_response_release(&handed_); }

  const std::byte* data() const noexcept {
    return handed_.release != nullptr ? reinterpret_cast<const std::byte*>(handed_.data) : copied_ ? copied_.get() : own_.data();
  }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  /// The bytes, good as long as this.
  std::span<const std::byte> bytes() const noexcept { return {data(), size_}; }
  /// The same as text.
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data()), size_}; }
  std::string to_string() const { return std::string(text()); }

  /// The bytes as a struct. `Error` with `invalid_argument`: they aren't as many.
  template <class Pod>
  Pod as() const;

  /// The metadata that came before it, of a call that has asked for it by `CallOptions::headers`.
  const Metadata& headers() const noexcept {
    static const Metadata none;
    return headers_ ? *headers_ : none;
  }
  /// The trailers of a call with options.
  const Metadata& trailers() const noexcept { return trailers_; }
  /// The objects of the answer, in the order of their positions in it.
  std::vector<Object>& objects() noexcept { return objects_; }
  const std::vector<Object>& objects() const noexcept { return objects_; }

 private:
  friend struct detail::Access;

  void take(Response& other) noexcept {
    handed_ = std::exchange(other.handed_, rb_response{});
    copied_ = std::move(other.copied_);
    size_ = std::exchange(other.size_, 0);
    headers_ = std::move(other.headers_);
    trailers_ = std::move(other.trailers_);
    objects_ = std::move(other.objects_);
    if (handed_.release == nullptr && !copied_) {
      detail::copy(own_.data(), other.own_.data(), size_);
    }
  }

  rb_response handed_{};
  std::unique_ptr<std::byte[]> copied_;
  std::size_t size_ = 0;
  // Few ask for them, and this is part of every answer.
  std::unique_ptr<const Metadata> headers_;
  Metadata trailers_;
  std::vector<Object> objects_;
  // Left as it is until an answer is written there.
  alignas(std::max_align_t) std::array<std::byte, own_bytes> own_;
};

namespace detail {

/// How many bytes a struct is at the boundary: an empty one, which C doesn't have, stands for none.
template <class Pod>
inline constexpr std::size_t size_of = std::is_empty_v<Pod> ? 0 : sizeof(Pod);

/// A copy of bytes as a struct.
template <class Pod>
Pod pod_of(const void* data, std::size_t size) {
  static_assert(std::is_trivially_copyable_v<Pod>, "a pod is copied as bytes");
  static_assert(std::is_standard_layout_v<Pod>, "a pod is laid out as C lays it out");
  if (size != size_of<Pod>) {
    throw Error(Status::invalid_argument,
                "found " + std::to_string(size) + " bytes, but the struct has " + std::to_string(size_of<Pod>));
  }
  alignas(Pod) std::array<std::byte, sizeof(Pod)> bytes{};
  copy(bytes.data(), data, size);
  return std::bit_cast<Pod>(bytes);
}

/// Access to a response for the other classes.
struct Access {
  /// Returns the struct for C to write the answer to.
  static rb_response storage(Response& response) noexcept {
    rb_response raw{};
    raw.data = reinterpret_cast<std::uint8_t*>(response.own_.data());
    raw.capacity = response.own_.size();
    return raw;
  }

  /// Stores a response that C has written to the buffer, or allocated.
  static void put(Response& response, const rb_response& raw) noexcept {
    response.handed_ = raw.release != nullptr ? raw : rb_response{};
    response.size_ = raw.len;
  }

  /// Takes ownership of a borrowed response by its `release` if it has one, and copies it otherwise.
  static void take(Response& response, rb_response& lent) {
    if (lent.release == nullptr) {
      std::byte* to = response.own_.data();
      if (lent.len > response.own_.size()) {
        response.copied_ = std::make_unique<std::byte[]>(lent.len);
        to = response.copied_.get();
      }
      copy(to, lent.data, lent.len);
    } else {
      response.handed_ = lent;
    }
    response.size_ = lent.len;
    lent.release = nullptr;
    lent.data = nullptr;
    lent.len = 0;
  }

  static void put_beside(Response& response, Metadata trailers, std::vector<Object> objects) noexcept {
    response.trailers_ = std::move(trailers);
    response.objects_ = std::move(objects);
  }

  static void put_headers(Response& response, Metadata headers) {
    response.headers_ = std::make_unique<const Metadata>(std::move(headers));
  }

  /// Returns the same error with its headers.
  static Error with_headers(const Error& error, Metadata headers) {
    Error::Contents said = *error.said_;
    said.headers = std::move(headers);
    return Error(std::move(said));
  }
};

inline std::vector<Object> objects_of(rb_instance instance, const rb_response& numbers) {
  std::vector<Object> objects;
  objects.reserve(numbers.len / sizeof(rb_object));
  for (std::size_t at = 0; at + sizeof(rb_object) <= numbers.len; at += sizeof(rb_object)) {
    rb_object number = 0;
    std::memcpy(&number, numbers.data + at, sizeof number);
    objects.emplace_back(instance, number);
  }
  return objects;
}

/// Returns the trailers and objects of an answer; both parts of the reply are released.
inline std::pair<Metadata, std::vector<Object>> beside(rb_instance instance, rb_reply& reply) {
  struct Release {
    rb_reply& reply;
    ~Release() {
      rb_response_release(&reply.trailers);
      rb_response_release(&reply.objects);
    }
  } release{reply};
  std::vector<Object> objects = objects_of(instance, reply.objects);
  return {Metadata::of_encoded(BytesView(reply.trailers.data, reply.trailers.len)), std::move(objects)};
}

}  // namespace detail

template <class Pod>
Pod Response::as() const {
  return detail::pod_of<Pod>(data(), size_);
}

/// The answer didn't fit into the buffer of `Method::call_into`. The call was made, and this exception has the answer.
class ResponseTooLarge : public Error {
 public:
  explicit ResponseTooLarge(Response response)
      : Error(Status::out_of_range, "the response has " + std::to_string(response.size()) + " bytes, more than the buffer",
              "rustbridge.ResponseTooLarge"),
        response_(std::make_shared<Response>(std::move(response))) {}

  /// The whole answer.
  const Response& response() const noexcept { return *response_; }

 private:
  std::shared_ptr<Response> response_;
};

/// The outcome of an asynchronous call: an answer, or an error.
class Result {
 public:
  explicit Result(Response response) noexcept : is_(std::move(response)) {}
  explicit Result(Error error) noexcept : is_(std::move(error)) {}

  explicit operator bool() const noexcept { return std::holds_alternative<Response>(is_); }
  Status status() const noexcept {
    const Error* failed = std::get_if<Error>(&is_);
    return failed == nullptr ? Status::ok : failed->status();
  }
  /// Why it has failed; null if it hasn't.
  const Error* error() const noexcept { return std::get_if<Error>(&is_); }
  /// The answer. Throws the error if there's none.
  Response& response() {
    if (const Error* failed = error()) {
      throw *failed;
    }
    return *std::get_if<Response>(&is_);
  }
  /// The headers, if the call requested them by `CallOptions::headers`.
  const Metadata& headers() const noexcept {
    const Error* failed = error();
    return failed == nullptr ? std::get_if<Response>(&is_)->headers() : failed->headers();
  }
  /// The trailers of the answer, or of the error.
  const Metadata& trailers() const noexcept {
    const Error* failed = error();
    return failed == nullptr ? std::get_if<Response>(&is_)->trailers() : failed->trailers();
  }

 private:
  std::variant<Response, Error> is_;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_RESPONSE_HPP

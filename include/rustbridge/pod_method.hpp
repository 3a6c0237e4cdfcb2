/* Part of rustbridge.hpp. Methods of structs. */
#ifndef RUSTBRIDGE_POD_METHOD_HPP
#define RUSTBRIDGE_POD_METHOD_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <type_traits>

#include "stream.hpp"

namespace rustbridge {

/// A method whose request and answer are C structs of fixed size: a call is the C call and a check of its result. `Plugin::prepare_pod` compares the
/// sizes with the plugin's. An empty struct stands for no bytes.
template <class Request, class Answer>
class PodMethod {
  static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Answer>, "pods are copied as bytes");
  static_assert(std::is_standard_layout_v<Request> && std::is_standard_layout_v<Answer>, "pods are laid out as C lays them out");

  static constexpr std::size_t request_bytes = detail::size_of<Request>;
  static constexpr std::size_t answer_bytes = detail::size_of<Answer>;

 public:
  PodMethod() noexcept = default;

  /// `Error` with `invalid_argument`: its structs have other sizes, or it isn't for structs.
  explicit PodMethod(const Method& method) : method_(method) {
    if (method.encoding() != Encoding::pod || method.request_size() != request_bytes ||
        (!method.is_stream_in() && !method.is_stream_out() && method.response_size() != answer_bytes)) {
      throw Error(Status::invalid_argument,
                  "the plugin's structs have " + std::to_string(method.request_size()) + " and " +
                      std::to_string(method.response_size()) + " bytes, but these structs have " + std::to_string(request_bytes) + " and " +
                      std::to_string(answer_bytes),
                  "rustbridge.InvalidLayout");
    }
  }

  const Method& method() const noexcept { return method_; }

  Answer operator()(const Request& request) const { return call(request); }

  Answer call(const Request& request) const {
    alignas(Answer) std::array<std::byte, sizeof(Answer)> answer;
    rb_response raw{};
    raw.data = reinterpret_cast<std::uint8_t*>(answer.data());
    raw.capacity = answer_bytes;
    rb_status status =
        rb_call(method_.instance(), method_.entry(), reinterpret_cast<const std::uint8_t*>(&request), request_bytes, &raw);
    if (status != RB_OK || raw.release != nullptr || raw.len != answer_bytes) [[unlikely]] {
      return elsewhere(status, raw);
    }
    if constexpr (std::is_empty_v<Answer>) {
      return Answer();
    } else {
      return std::bit_cast<Answer>(answer);
    }
  }

  Answer call(const Request& request, const CallOptions& options) const {
    return method_.call(BytesView::of(request), options).template as<Answer>();
  }

  std::future<Answer> call_async(const Request& request, const CallOptions& options = {}) const {
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    method_.call_async(BytesView::of(request), options, [promise](Result result) {
      try {
        promise->set_value(result.response().template as<Answer>());
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    });
    return future;
  }

  /// Opens a stream with this request.
  Stream stream(const Request& request, const CallOptions& options = {}) const {
    return method_.stream(BytesView::of(request), options);
  }

 private:
  /// Kept out of the way of calls that go well.
#if defined(__GNUC__)
  __attribute__((noinline, cold))
#endif
  static Answer elsewhere(rb_status status, rb_response& raw) {
    struct Release {
      rb_response& raw;
      ~Release() { rb_response_release(&raw); }
    } release{raw};
    if (status != RB_OK) {
      throw Error::of(status, BytesView(raw.data, raw.len));
    }
    return detail::pod_of<Answer>(raw.data, raw.len);
  }

  Method method_;
};

}  // namespace rustbridge

#endif  // RUSTBRIDGE_POD_METHOD_HPP

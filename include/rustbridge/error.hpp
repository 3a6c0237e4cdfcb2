/* Part of rustbridge.hpp. What has failed, and why. */
#ifndef RUSTBRIDGE_ERROR_HPP
#define RUSTBRIDGE_ERROR_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "causes.hpp"
#include "json.hpp"
#include "metadata.hpp"

namespace rustbridge {

namespace detail {

struct Access;

/// Takes a text with its length in front off an error in the wire form. Numbers there are little-endian, as on every machine there is a
/// library for.
inline bool take_text(std::string_view& rest, std::string& text) {
  std::uint32_t length = 0;
  if (rest.size() < sizeof length) {
    return false;
  }
  std::memcpy(&length, rest.data(), sizeof length);
  rest.remove_prefix(sizeof length);
  if (rest.size() < length) {
    return false;
  }
  text = valid_utf8(rest.substr(0, length));
  rest.remove_prefix(length);
  return true;
}

/// Whether a payload is an error with a type, in the wire form: its message and its type's name, in front of the error itself, which is
/// `value`.
inline bool typed_error(std::string_view payload, std::string& message, std::string& type, std::optional<std::string>& value) {
  constexpr std::string_view mark("\x01\0\0\0", 4);
  std::string_view whole = payload;
  constexpr std::size_t status = 4;
  if (!payload.starts_with(mark) || payload.size() < mark.size() + status) {
    return false;
  }
  payload.remove_prefix(mark.size() + status);
  std::string said;
  if (!take_text(payload, said) || !take_text(payload, type)) {
    type.clear();
    return false;
  }
  message = std::move(said);
  if (std::size_t begin = (whole.size() - payload.size() + 7) / 8 * 8; begin <= whole.size()) {
    value = whole.substr(begin);
  }
  return true;
}

/// Returns the payload of an error with a type that a service throws. The library fills in the status and the type's name.
inline std::string thrown_payload(std::string_view message, std::string_view value) {
  std::string payload("\x01\0\0\0\0\0\0\0", 8);
  for (std::string_view text : {message, std::string_view()}) {
    for (std::size_t place = 0; place < 4; ++place) {
      payload += static_cast<char>(text.size() >> (8 * place) & 0xff);
    }
    payload += text;
  }
  payload.resize((payload.size() + 7) / 8 * 8);
  payload += value;
  return payload;
}

}  // namespace detail

/// The failure of a call or function. Copies share their content.
class Error : public std::exception {
 public:
  /// For services and sources to throw. `details` is JSON; any other text is stored as a JSON string.
  explicit Error(Status status, std::string_view message, std::string_view type = {}, std::string_view details = {})
      : Error(Contents{status == Status::ok ? Status::unknown : status, detail::valid_utf8(message), detail::valid_utf8(type),
                   json_of(details), {}, {}, {}, {}, {}, false}) {}

  /// Returns the error of a payload by the rules of rustbridge.h: a JSON object, or a typed error in the wire format. Any other payload is the
  /// message itself.
  static Error of(rb_status status, BytesView payload, Metadata trailers = {}, Metadata headers = {}) {
    Contents said;
    said.status = detail::known(status == RB_OK ? RB_UNKNOWN : status);
    said.trailers = std::move(trailers);
    said.headers = std::move(headers);
    if (detail::typed_error(payload.text(), said.message, said.type, said.value)) {
      return Error(std::move(said));
    }
    bool has_message = false;
    std::string cause;
    detail::JsonReader reader(payload.text());
    bool is_object = reader.object([&](std::string_view name, std::string_view raw) {
      if (name == "message") {
        has_message = read(raw, said.message);
      } else if (name == "type") {
        read(raw, said.type);
      } else if (name == "backtrace") {
        read(raw, said.backtrace);
      } else if (name == "cause") {
        read(raw, cause);
      } else if (name == "details" && raw != "null") {
        said.details = detail::valid_utf8(raw);
      }
    });
    if (!is_object || !reader.at_end()) {
      said.type.clear();
      said.backtrace.clear();
      said.details.clear();
      has_message = false;
    }
    if (!cause.empty()) {
      said.cause = detail::Causes::all().take(cause);
    }
    if (payload.empty()) {
      said.message = "the call failed with status " + std::string(name_of(said.status)) + " and no message";
    } else if (!has_message) {
      said.message = detail::valid_utf8(payload.text());
    }
    return Error(std::move(said));
  }

  /// How it ended; never `ok`.
  Status status() const noexcept { return said_->status; }
  /// The plugin's message.
  const std::string& message() const noexcept { return said_->message; }
  /// The error type within its status: the plugin's `Enum.Variant`, `panic`, or a name that begins with `rustbridge.`; otherwise empty.
  const std::string& type() const noexcept { return said_->type; }
  /// Additional data, as JSON; empty if there is none.
  const std::string& details() const noexcept { return said_->details; }
  /// Rust's backtrace of a panic, if `Config::backtraces` has asked for it.
  const std::string& backtrace() const noexcept { return said_->backtrace; }
  /// The exception of a service of this program, if the plugin has failed with it: for `std::rethrow_exception`; otherwise null.
  const std::exception_ptr& cause() const noexcept { return said_->cause; }
  /// Of an error with a type: its bytes in the wire form, which a typed client reads.
  const std::optional<std::string>& value() const noexcept { return said_->value; }
  /// The metadata that came before it, of a call that has asked for it by `CallOptions::headers`.
  const Metadata& headers() const noexcept { return said_->headers; }
  /// The trailers of a call with options.
  const Metadata& trailers() const noexcept { return said_->trailers; }
  /// The message.
  const char* what() const noexcept override { return said_->message.c_str(); }

  /// The error as it crosses the boundary: a JSON object.
  std::string payload() const {
    std::string json = "{\"code\":\"" + std::string(name_of(status())) + "\",\"message\":";
    detail::append_json_text(json, message());
    json += ",\"type\":";
    detail::append_json_text(json, type());
    if (!details().empty()) {
      json += ",\"details\":" + details();
    }
    if (!backtrace().empty()) {
      json += ",\"backtrace\":";
      detail::append_json_text(json, backtrace());
    }
    return json + "}";
  }

  /// The same for a plugin, with the name of the exception that is being handled, or else of this one's cause. An error with a type that this
  /// program has created is in the wire form.
  std::string told() const {
    if (said_->is_thrown) {
      return detail::thrown_payload(message(), *value());
    }
    std::string json = payload();
    std::exception_ptr thrown = std::current_exception();
    if (!thrown) {
      thrown = cause();
    }
    if (thrown) {
      json.pop_back();
      json += ",\"cause\":\"" + detail::Causes::all().keep(std::move(thrown)) + "\"}";
    }
    return json;
  }

 protected:
  /// An error with a type, for a service to throw: its value in the wire form. The plugin declares the status.
  Error(std::string_view message, std::string value)
      : Error(Contents{Status::unknown, detail::valid_utf8(message), {}, {}, {}, std::move(value), {}, {}, {}, true}) {}

 private:
  friend struct detail::Access;

  struct Contents {
    Status status = Status::unknown;
    std::string message, type, details, backtrace;
    std::optional<std::string> value;
    Metadata trailers;
    Metadata headers;
    std::exception_ptr cause;
    /// Whether this program has created it, with a type.
    bool is_thrown = false;
  };

  explicit Error(Contents said) : said_(std::make_shared<const Contents>(std::move(said))) {}

  static bool read(std::string_view raw, std::string& to) {
    std::string text;
    if (!detail::JsonReader(raw).text(&text)) {
      return false;
    }
    to = detail::valid_utf8(text);
    return true;
  }

  static std::string json_of(std::string_view details) {
    if (details.empty() || detail::is_json(details)) {
      return std::string(details);
    }
    std::string text;
    detail::append_json_text(text, details);
    return text;
  }

  std::shared_ptr<const Contents> said_;
};

inline Metadata& Metadata::add(std::string_view key, BytesView value) {
  constexpr std::size_t number = sizeof(std::uint32_t);
  std::size_t begin = (std::max)(encoded_.size(), number);
  if (key.size() > RB_METADATA_LIMIT || value.size() > RB_METADATA_LIMIT ||
      begin + 2 * number + key.size() + value.size() > RB_METADATA_LIMIT) {
    throw Error(Status::invalid_argument, "metadata has more than 65536 bytes");
  }
  encoded_.resize(begin + 2 * number + key.size() + value.size());
  std::uint8_t* at = encoded_.data();
  std::uint32_t count = 0;
  std::memcpy(&count, at, number);
  ++count;
  std::memcpy(at, &count, number);
  auto key_size = static_cast<std::uint32_t>(key.size());
  auto value_size = static_cast<std::uint32_t>(value.size());
  std::memcpy(at + begin, &key_size, number);
  std::memcpy(at + begin + number, &value_size, number);
  detail::copy(at + begin + 2 * number, key.data(), key.size());
  detail::copy(at + begin + 2 * number + key.size(), value.data(), value.size());
  return *this;
}

namespace detail {

/// Throws the error of a status and a payload, and releases the payload.
[[noreturn]] inline void fail(rb_status status, rb_response& payload, Metadata trailers = {}) {
  struct Release {
    rb_response& payload;
    ~Release() { rb_response_release(&payload); }
  } release{payload};
  throw Error::of(status, BytesView(payload.data, payload.len), std::move(trailers));
}

inline void check(rb_status status, rb_response& payload) {
  if (status != RB_OK) {
    fail(status, payload);
  }
}

}  // namespace detail

}  // namespace rustbridge

#endif  // RUSTBRIDGE_ERROR_HPP

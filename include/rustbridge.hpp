/*
 * rustbridge.hpp: the host in C++20, over rustbridge.h. A header alone; what it needs besides is librustbridge.
 *
 * The shortest way: `rustbridge::Plugin::load` a plugin, `call_json` what it offers, and let it go out of scope. The guide,
 * docs/guide/cpp.md, shows the rest. This file is written by hand; the contract is rustbridge.h, which says in full what may be
 * called when, and comments here say what is special to C++.
 *
 * OWNERSHIP
 *   A `Plugin`, `Object`, `Response`, `Stream`, `Queue` owns what it stands for and can be moved, not copied. One that was moved
 *   from stands for nothing: what is asked of it is refused with an `Error`, and letting go of it does nothing. Methods,
 *   operations and the like are numbers: they may be copied, and outlive their plugin, whose calls are refused from then on.
 *   A `Response` keeps its memory, also after the plugin was closed.
 *
 * ERRORS
 *   What fails throws `Error`. What is told by a value in its place says so. Nothing that your functions throw crosses into the
 *   library: a service answers it, log sinks and functions that are told of calls swallow it.
 *
 * THREADS
 *   A `Plugin`, `Method`, `PodMethod`, `Operation`, `Cancellation` may be used by several threads at once, but not while it's moved,
 *   assigned or destroyed. Everything else is for one thread at a time, as a container is.
 *
 * BYTES
 *   Requests are lent until the function returns, and mustn't be written to meanwhile; `Method::shared` is for memory in which
 *   others may.
 */

#ifndef RUSTBRIDGE_HPP
#define RUSTBRIDGE_HPP

#if !(defined(_MSVC_LANG) ? _MSVC_LANG >= 202002L : __cplusplus >= 202002L)
#error "rustbridge.hpp is for C++20 and later; rustbridge.h is for C11 and C++17"
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include "rustbridge.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace rustbridge {

/* ---- Codes ---- */

/// How a call ended: gRPC's canonical codes. A number that is none of them is `unknown`.
enum class Status : std::int32_t {
  ok = RB_OK,
  cancelled = RB_CANCELLED,
  unknown = RB_UNKNOWN,
  invalid_argument = RB_INVALID_ARGUMENT,
  deadline_exceeded = RB_DEADLINE_EXCEEDED,
  not_found = RB_NOT_FOUND,
  already_exists = RB_ALREADY_EXISTS,
  permission_denied = RB_PERMISSION_DENIED,
  resource_exhausted = RB_RESOURCE_EXHAUSTED,
  failed_precondition = RB_FAILED_PRECONDITION,
  aborted = RB_ABORTED,
  out_of_range = RB_OUT_OF_RANGE,
  unimplemented = RB_UNIMPLEMENTED,
  internal = RB_INTERNAL,
  unavailable = RB_UNAVAILABLE,
  data_loss = RB_DATA_LOSS,
  unauthenticated = RB_UNAUTHENTICATED,
};

/// The canonical name, e.g. `NOT_FOUND`.
inline std::string_view name_of(Status status) noexcept { return rb_status_name(static_cast<rb_status>(status)); }

/// How requests and answers are laid out.
enum class Encoding : std::uint32_t {
  json = RB_ENCODING_JSON,
  raw = RB_ENCODING_RAW,
  pod = RB_ENCODING_POD,
  msgpack = RB_ENCODING_MSGPACK,
  bincode = RB_ENCODING_BINCODE,
  postcard = RB_ENCODING_POSTCARD,
  wire = RB_ENCODING_WIRE,
  /// To prepare by only: bytes as they are, `raw` if the method has it and otherwise `pod`.
  bytes = RB_ENCODING_BYTES,
};

/// How urgent a log record is, or how much is wanted.
enum class Level : std::uint32_t {
  off = RB_LOG_OFF,
  error = RB_LOG_ERROR,
  warn = RB_LOG_WARN,
  info = RB_LOG_INFO,
  debug = RB_LOG_DEBUG,
  trace = RB_LOG_TRACE,
};

/// What an instance is doing.
enum class State : std::uint32_t {
  active = RB_STATE_ACTIVE,
  poisoned = RB_STATE_POISONED,
  closing = RB_STATE_CLOSING,
  closed = RB_STATE_CLOSED,
  forked = RB_STATE_FORKED,
};

/// The version of librustbridge, e.g. `0.1.0`.
inline std::string_view version() noexcept { return rb_version(); }

/* ---- Bytes ---- */

/// Bytes that somebody else has: of a text, or of anything that lies in a row and has elements of one byte. A null text is empty.
class BytesView {
 public:
  constexpr BytesView() noexcept = default;
  BytesView(const void* data, std::size_t size) noexcept : data_(static_cast<const std::uint8_t*>(data)), size_(size) {}

  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  BytesView(const Text& text) noexcept {
    if constexpr (std::convertible_to<const Text&, const char*> && !std::is_array_v<Text>) {
      if (static_cast<const char*>(text) == nullptr) {
        return;
      }
    }
    std::string_view view = text;
    *this = BytesView(view.data(), view.size());
  }

  template <std::ranges::contiguous_range Range>
    requires(!std::convertible_to<const Range&, std::string_view> && std::ranges::sized_range<Range> &&
             sizeof(std::ranges::range_value_t<Range>) == 1 &&
             std::is_trivially_copyable_v<std::ranges::range_value_t<Range>>)
  BytesView(const Range& range) noexcept : BytesView(std::ranges::data(range), std::ranges::size(range)) {}

  /// The bytes of one struct; an empty one has none.
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  static BytesView of(const Pod& pod) noexcept {
    return BytesView(&pod, std::is_empty_v<Pod> ? 0 : sizeof pod);
  }

  const std::uint8_t* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::span<const std::byte> bytes() const noexcept { return std::as_bytes(std::span(data_, size_)); }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

inline Status known(rb_status status) noexcept {
  return status >= RB_OK && status <= RB_UNAUTHENTICATED ? static_cast<Status>(status) : Status::unknown;
}

inline rb_text text_of(std::string_view text) noexcept { return {text.data(), text.size()}; }

inline std::string_view view_of(rb_text text) noexcept {
  return text.len == 0 ? std::string_view() : std::string_view(text.data, text.len);
}

/// `memcpy` that may be asked for nothing of nowhere.
inline void copy(void* to, const void* from, std::size_t size) noexcept {
  if (size > 0) {
    std::memcpy(to, from, size);
  }
}

/// Milliseconds as C takes them: rounded up, less than nothing is nothing, and the longest duration is for good.
template <class Rep, class Period>
std::uint64_t milliseconds_of(std::chrono::duration<Rep, Period> time) noexcept {
  if (time == (std::chrono::duration<Rep, Period>::max)()) {
    return UINT64_MAX;
  }
  if (time <= time.zero()) {
    return 0;
  }
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

/* ---- The JSON that errors are ---- */

/// How many bytes the character at the front has; 0 for what isn't UTF-8.
inline std::size_t character(std::string_view text) noexcept {
  auto at = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  unsigned first = at(0);
  if (first < 0x80) {
    return 1;
  }
  std::size_t size = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
  if (size == 0 || text.size() < size) {
    return 0;
  }
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (at(1) < low || at(1) > high) {
    return 0;
  }
  for (std::size_t index = 2; index < size; ++index) {
    if ((at(index) & 0xC0) != 0x80) {
      return 0;
    }
  }
  return size;
}

/// The same text in UTF-8: bytes that are none become U+FFFD.
inline std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    std::size_t size = character(text);
    if (size == 0) {
      valid += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      valid.append(text.substr(0, size));
      text.remove_prefix(size);
    }
  }
  return valid;
}

inline void append_json_text(std::string& to, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  to += '"';
  for (char one : valid_utf8(text)) {
    auto code = static_cast<unsigned char>(one);
    if (one == '"' || one == '\\') {
      to += '\\';
      to += one;
    } else if (code < 0x20) {
      to += "\\u00";
      to += digits[code >> 4];
      to += digits[code & 15];
    } else {
      to += one;
    }
  }
  to += '"';
}

/// Reads JSON as strictly as RFC 8259 has it, and no deeper than plugins may nest it.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) noexcept : rest_(text) {}

  /// Reads one value and tells where it is. False: it's none.
  bool value(std::string_view& raw, int depth = 0) {
    skip_space();
    const char* begin = rest_.data();
    if (rest_.empty() || depth > 127 || !any(depth)) {
      return false;
    }
    raw = {begin, static_cast<std::size_t>(rest_.data() - begin)};
    return true;
  }

  /// Reads an object, whose members `take` gets by name and as they stand there.
  template <class Take>
  bool object(Take&& take, int depth = 0) {
    std::string name;
    std::string_view raw;
    if (!skip('{')) {
      return false;
    }
    if (skip('}')) {
      return true;
    }
    do {
      skip_space();
      if (!text(&name) || !skip(':') || !value(raw, depth + 1)) {
        return false;
      }
      take(std::string_view(name), raw);
    } while (skip(','));
    return skip('}');
  }

  /// Reads a text. A surrogate without its other half becomes U+FFFD.
  bool text(std::string* to) {
    if (to != nullptr) {
      to->clear();
    }
    if (!take('"')) {
      return false;
    }
    while (!rest_.empty()) {
      char one = rest_.front();
      rest_.remove_prefix(1);
      if (one == '"') {
        return true;
      }
      if (static_cast<unsigned char>(one) < 0x20) {
        return false;
      }
      if (one != '\\') {
        if (to != nullptr) {
          *to += one;
        }
      } else if (!escape(to)) {
        return false;
      }
    }
    return false;
  }

  /// Whether nothing but white space is left.
  bool at_end() {
    skip_space();
    return rest_.empty();
  }

 private:
  bool take(char one) {
    if (rest_.empty() || rest_.front() != one) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  bool skip(char one) {
    skip_space();
    return take(one);
  }

  void skip_space() {
    std::size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }

  bool word(std::string_view expected) {
    if (!rest_.starts_with(expected)) {
      return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool any(int depth) {
    switch (rest_.front()) {
      case '{': return object([](std::string_view, std::string_view) {}, depth);
      case '[': return array(depth);
      case '"': return text(nullptr);
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return number();
    }
  }

  bool array(int depth) {
    std::string_view raw;
    rest_.remove_prefix(1);
    if (skip(']')) {
      return true;
    }
    do {
      if (!value(raw, depth + 1)) {
        return false;
      }
    } while (skip(','));
    return skip(']');
  }

  bool digits() {
    std::size_t at = (std::min)(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(at);
    return at > 0;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) {
      return false;
    }
    if (take('.') && !digits()) {
      return false;
    }
    if (take('e') || take('E')) {
      if (!take('+')) {
        take('-');
      }
      return digits();
    }
    return true;
  }

  bool escape(std::string* to) {
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) {
      return false;
    }
    char one = rest_.front();
    rest_.remove_prefix(1);
    std::uint32_t code = 0;
    if (std::size_t at = names.find(one); at != std::string_view::npos) {
      code = static_cast<unsigned char>(meant[at]);
    } else if (one != 'u' || !unit(code)) {
      return false;
    } else if (code >= 0xD800 && code < 0xE000) {
      std::string_view before = rest_;
      std::uint32_t low = 0;
      if (code < 0xDC00 && word("\\u") && unit(low) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        rest_ = before;
        code = 0xFFFD;
      }
    }
    if (to != nullptr) {
      append(*to, code);
    }
    return true;
  }

  bool unit(std::uint32_t& code) {
    code = 0;
    for (int digit = 0; digit < 4; ++digit) {
      if (rest_.empty()) {
        return false;
      }
      char one = rest_.front();
      rest_.remove_prefix(1);
      int value = one >= '0' && one <= '9'   ? one - '0'
                  : one >= 'a' && one <= 'f' ? one - 'a' + 10
                  : one >= 'A' && one <= 'F' ? one - 'A' + 10
                                             : -1;
      if (value < 0) {
        return false;
      }
      code = code * 16 + static_cast<std::uint32_t>(value);
    }
    return true;
  }

  static void append(std::string& to, std::uint32_t code) {
    auto add = [&](std::uint32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xC0 | code >> 6);
      add(0x80 | (code & 63));
    } else {
      if (code < 0x10000) {
        add(0xE0 | code >> 12);
      } else {
        add(0xF0 | code >> 18);
        add(0x80 | (code >> 12 & 63));
      }
      add(0x80 | (code >> 6 & 63));
      add(0x80 | (code & 63));
    }
  }

  std::string_view rest_;
};

inline bool is_json(std::string_view text) {
  JsonReader reader(text);
  std::string_view raw;
  return valid_utf8(text) == text && reader.value(raw) && reader.at_end();
}

}  // namespace detail

/* ---- Metadata and traces ---- */

/// Pairs of key and value beside a request or, as headers before it and as trailers, beside an answer. Keys are visible ASCII without capitals and may repeat,
/// values are any bytes, and all together take up to 64 KiB: a call with others is refused with `invalid_argument`.
class Metadata {
 public:
  Metadata() = default;
  Metadata(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
    for (const auto& [key, value] : pairs) {
      add(key, value);
    }
  }

  /// Metadata as it crosses the boundary (`rb_call_header`). What isn't laid out so is for the call to refuse.
  static Metadata of_encoded(BytesView encoded) {
    Metadata metadata;
    metadata.encoded_.assign(encoded.data(), encoded.data() + encoded.size());
    return metadata;
  }

  /// Adds a pair. `Error` with `invalid_argument`: together they have more than metadata may.
  Metadata& add(std::string_view key, BytesView value);

  /// The first value of a key.
  std::optional<std::string_view> get(std::string_view key) const {
    for (const auto& [found, value] : pairs()) {
      if (found == key) {
        return value;
      }
    }
    return std::nullopt;
  }

  /// All pairs in order, which belong to this and are good until it changes.
  std::vector<std::pair<std::string_view, std::string_view>> pairs() const {
    std::vector<std::pair<std::string_view, std::string_view>> all;
    std::string_view rest(reinterpret_cast<const char*>(encoded_.data()), encoded_.size());
    std::uint32_t count = 0;
    if (!number(rest, count)) {
      return all;
    }
    for (std::uint32_t key = 0, value = 0; count > 0; --count) {
      if (!number(rest, key) || !number(rest, value) || rest.size() < std::uint64_t{key} + value) {
        break;
      }
      all.emplace_back(rest.substr(0, key), rest.substr(key, value));
      rest.remove_prefix(std::size_t{key} + value);
    }
    return all;
  }

  bool empty() const noexcept { return encoded_.empty(); }
  BytesView encoded() const noexcept { return encoded_; }

 private:
  static bool number(std::string_view& rest, std::uint32_t& to) {
    if (rest.size() < sizeof to) {
      return false;
    }
    std::memcpy(&to, rest.data(), sizeof to);
    rest.remove_prefix(sizeof to);
    return true;
  }

  std::vector<std::uint8_t> encoded_;
};

/// What a call is part of, as W3C's Trace Context says.
struct Trace {
  /// Not all zero.
  std::array<std::uint8_t, 16> trace_id{};
  /// The caller's span, not all zero.
  std::array<std::uint8_t, 8> span_id{};
  /// Bit 0: it's sampled.
  std::uint32_t flags = 0;
  /// `tracestate`, or empty.
  std::string state{};
};

/* ---- Errors ---- */

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

}  // namespace detail

/// What has failed, and why. Copies share what they say.
class Error : public std::exception {
 public:
  /// For services and sources to throw. `details` is JSON; what is none is carried as a JSON text.
  explicit Error(Status status, std::string_view message, std::string_view type = {}, std::string_view details = {})
      : Error(Said{status == Status::ok ? Status::unknown : status, detail::valid_utf8(message), detail::valid_utf8(type),
                   json_of(details), {}, {}, {}, {}}) {}

  /// What a payload by the rules of rustbridge.h says: a JSON object, or an error with a type in the wire form. One that is neither is the
  /// message itself.
  static Error of(rb_status status, BytesView payload, Metadata trailers = {}, Metadata headers = {}) {
    Said said;
    said.status = detail::known(status == RB_OK ? RB_UNKNOWN : status);
    said.trailers = std::move(trailers);
    said.headers = std::move(headers);
    if (detail::typed_error(payload.text(), said.message, said.type, said.value)) {
      return Error(std::move(said));
    }
    bool has_message = false;
    detail::JsonReader reader(payload.text());
    bool is_object = reader.object([&](std::string_view name, std::string_view raw) {
      if (name == "message") {
        has_message = read(raw, said.message);
      } else if (name == "type") {
        read(raw, said.type);
      } else if (name == "backtrace") {
        read(raw, said.backtrace);
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
    if (payload.empty()) {
      said.message = "the call ended with the status " + std::string(name_of(said.status)) + " and no message";
    } else if (!has_message) {
      said.message = detail::valid_utf8(payload.text());
    }
    return Error(std::move(said));
  }

  /// How it ended; never `ok`.
  Status status() const noexcept { return said_->status; }
  /// What the plugin said.
  const std::string& message() const noexcept { return said_->message; }
  /// What kind it is within its status: the plugin's `Enum.Variant`, `panic`, or one that begins with `rustbridge.`; else empty.
  const std::string& type() const noexcept { return said_->type; }
  /// What it carries besides, as JSON; empty if there's nothing.
  const std::string& details() const noexcept { return said_->details; }
  /// Rust's backtrace of a panic, if `Config::backtraces` has asked for it.
  const std::string& backtrace() const noexcept { return said_->backtrace; }
  /// Of an error with a type: its bytes in the wire form, which a typed client reads.
  const std::optional<std::string>& value() const noexcept { return said_->value; }
  /// The metadata that came before it, of a call that has asked for it by `CallOptions::headers`.
  const Metadata& headers() const noexcept { return said_->headers; }
  /// The metadata that came beside it, of a call with options.
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

 private:
  friend struct detail::Access;

  struct Said {
    Status status = Status::unknown;
    std::string message, type, details, backtrace;
    std::optional<std::string> value;
    Metadata trailers;
    Metadata headers;
  };

  explicit Error(Said said) : said_(std::make_shared<const Said>(std::move(said))) {}

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

  std::shared_ptr<const Said> said_;
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

/// Throws what a status and a payload say, which is released.
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

/* ---- Objects ---- */

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

/* ---- Answers ---- */

/// An answer, or bytes otherwise, with the memory that they are in: this one's own while they are few, else the plugin's.
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
  /// The metadata that came beside it, of a call with options.
  const Metadata& trailers() const noexcept { return trailers_; }
  /// The objects that came beside it, in the order in which it speaks of them.
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
                "there are " + std::to_string(size) + " bytes, and the struct has " + std::to_string(size_of<Pod>));
  }
  alignas(Pod) std::array<std::byte, sizeof(Pod)> bytes{};
  copy(bytes.data(), data, size);
  return std::bit_cast<Pod>(bytes);
}

/// What the other classes may do with a response.
struct Access {
  /// What C is to write the answer to.
  static rb_response storage(Response& response) noexcept {
    rb_response raw{};
    raw.data = reinterpret_cast<std::uint8_t*>(response.own_.data());
    raw.capacity = response.own_.size();
    return raw;
  }

  /// Has what C has written there, or handed over.
  static void put(Response& response, const rb_response& raw) noexcept {
    response.handed_ = raw.release != nullptr ? raw : rb_response{};
    response.size_ = raw.len;
  }

  /// Takes what is lent, by its `release` if it has one, and copies it otherwise.
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

  /// The same error with what came before it.
  static Error with_headers(const Error& error, Metadata headers) {
    Error::Said said = *error.said_;
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

/// What came beside an answer; both parts of the reply are released.
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

/// The answer didn't fit into the storage of `Method::call_into`. The call was made, and nothing is lost.
class ResponseTooLarge : public Error {
 public:
  explicit ResponseTooLarge(Response response)
      : Error(Status::out_of_range, "the response has " + std::to_string(response.size()) + " bytes, and there is room for fewer",
              "rustbridge.ResponseTooLarge"),
        response_(std::make_shared<Response>(std::move(response))) {}

  /// The whole answer.
  const Response& response() const noexcept { return *response_; }

 private:
  std::shared_ptr<Response> response_;
};

/// How a call has ended that nobody has waited for: an answer, or an error.
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
  /// What came before the answer, or the error, if the call has asked for it by `CallOptions::headers`.
  const Metadata& headers() const noexcept {
    const Error* failed = error();
    return failed == nullptr ? std::get_if<Response>(&is_)->headers() : failed->headers();
  }
  /// What came beside the answer, or the error.
  const Metadata& trailers() const noexcept {
    const Error* failed = error();
    return failed == nullptr ? std::get_if<Response>(&is_)->trailers() : failed->trailers();
  }

 private:
  std::variant<Response, Error> is_;
};

/* ---- What a call carries ---- */

namespace detail {
struct CancelScope;
}

/// Ends calls early: those that carry it in their options, all at once, from any thread. Copies are the same one. Once it was
/// used, calls that carry it don't begin.
class Cancellation {
 public:
  Cancellation() : state_(std::make_shared<State>()) {}

  /// Asks the calls to end early. Each ends with `cancelled`, or with what it had done by then.
  void cancel() noexcept {
    std::vector<std::weak_ptr<Slot>> slots;
    {
      std::lock_guard lock(state_->mutex);
      state_->cancelled = true;
      slots.swap(state_->slots);
    }
    for (const auto& weak : slots) {
      if (auto slot = weak.lock()) {
        slot->cancel();
      }
    }
  }

  bool cancelled() const noexcept {
    std::lock_guard lock(state_->mutex);
    return state_->cancelled;
  }

 private:
  friend struct detail::CancelScope;

  /// A call that it ends: `operation` is its number, 0 before it has one.
  struct Slot {
    std::atomic<rb_op> operation{0};
    std::atomic<bool> wanted{false};
    std::atomic<bool> over{false};
    /// Of a call that its thread waits in: the library writes the number before the plugin begins, and nobody tells us.
    const bool blocking;

    explicit Slot(bool waits) noexcept : blocking(waits) {}

    void cancel() noexcept {
      wanted = true;
      // Nothing but the library's own way into the call runs meanwhile.
      while (blocking && operation == 0 && !over) {
        std::this_thread::yield();
      }
      end();
    }

    void end() noexcept {
      if (rb_op number = operation; number != 0) {
        rb_op_cancel(number, nullptr);
      }
    }
  };

  struct State {
    std::mutex mutex;
    bool cancelled = false;
    std::vector<std::weak_ptr<Slot>> slots;
  };

  std::shared_ptr<Slot> slot(bool blocking) const {
    auto slot = std::make_shared<Slot>(blocking);
    std::lock_guard lock(state_->mutex);
    if (state_->cancelled) {
      throw Error(Status::cancelled, "it was cancelled before it began");
    }
    if (state_->slots.size() == state_->slots.capacity()) {
      std::erase_if(state_->slots, [](const auto& weak) { return weak.expired(); });
    }
    state_->slots.push_back(slot);
    return slot;
  }

  std::shared_ptr<State> state_;
};

namespace detail {

/// Has a call known to what ends it, as long as this is there.
struct CancelScope {
  CancelScope(const std::optional<Cancellation>& cancellation, bool blocking)
      : slot_(cancellation ? cancellation->slot(blocking) : nullptr) {}
  CancelScope(const CancelScope&) = delete;
  ~CancelScope() {
    if (slot_) {
      slot_->over = true;
    }
  }

  /// Where the library writes the number, by an atomic store.
  rb_op* place() noexcept {
    static_assert(sizeof(std::atomic<rb_op>) == sizeof(rb_op) && std::atomic<rb_op>::is_always_lock_free);
    return slot_ ? reinterpret_cast<rb_op*>(&slot_->operation) : nullptr;
  }

  /// The number of a call that has begun.
  void begun(rb_op number) noexcept {
    if (slot_) {
      slot_->operation = number;
      if (slot_->wanted) {
        slot_->end();
      }
    }
  }

 private:
  std::shared_ptr<Cancellation::Slot> slot_;
};

}  // namespace detail

/// What a call carries beside its request, and how it's made.
struct CallOptions {
  /// How much time there is, from when the call begins. One whose time is over ends with `deadline_exceeded`.
  std::optional<std::chrono::nanoseconds> timeout{};
  /// When the time is over; with a timeout as well it's whichever is sooner.
  std::optional<std::chrono::steady_clock::time_point> deadline{};
  Metadata metadata{};
  /// The trace that the call is part of.
  std::optional<Trace> trace{};
  /// What ends the call early.
  std::optional<Cancellation> cancellation{};
  /// The objects that are lent to the call, by `Object::number`; the receiver of an object's method is the first.
  std::vector<rb_object> objects{};
  /// Whether a method that isn't asynchronous runs on another thread. For calls that are begun.
  bool offload = false;
  /// How many items of a stream may be on their way; more are asked for when half of them were taken.
  std::uint64_t window_items = 256;
  /// How many bytes of them; the last item may go beyond.
  std::uint64_t window_bytes = 256 * 1024;
  /// Whether the metadata comes that the plugin says before anything else: with the answer or the error, and before a stream's first item
  /// (`Stream::headers`, or an event of its own). Otherwise nobody keeps it.
  bool headers = false;
};

namespace detail {

/// The options as C takes them, which must stay where they are meanwhile.
struct Carried {
  rb_call_header header{};

  explicit Carried(const CallOptions& options) {
    header.size = sizeof header;
    whole_.reply = {};
    header.reply = &whole_.reply;
    if (options.headers) {
      header.flags |= RB_HEADER_HEADERS;
      whole_.headers = {};
    }
    if (options.timeout || options.deadline) {
      auto left = options.timeout.value_or((std::chrono::nanoseconds::max)());
      if (options.deadline) {
        left = (std::min)(left, std::chrono::ceil<std::chrono::nanoseconds>(*options.deadline - std::chrono::steady_clock::now()));
      }
      if (left != (std::chrono::nanoseconds::max)()) {
        header.flags |= RB_HEADER_TIMEOUT;
        header.timeout_ns = left.count() > 0 ? static_cast<std::uint64_t>(left.count()) : 0;
      }
    }
    if (options.trace) {
      header.flags |= RB_HEADER_TRACE;
      copy(header.trace_id, options.trace->trace_id.data(), sizeof header.trace_id);
      copy(header.span_id, options.trace->span_id.data(), sizeof header.span_id);
      header.trace_flags = options.trace->flags;
      header.trace_state = text_of(options.trace->state);
    }
    if (!options.metadata.empty()) {
      header.metadata = options.metadata.encoded().data();
      header.metadata_len = options.metadata.encoded().size();
    }
    header.objects = options.objects.data();
    header.object_count = static_cast<std::uint32_t>(options.objects.size());
  }
  Carried(const Carried&) = delete;

  ~Carried() {
    rb_response_release(&whole_.reply.trailers);
    rb_response_release(&whole_.reply.objects);
    if (takes_headers()) {
      rb_response_release(&whole_.headers);
    }
  }

  /// What comes beside an answer.
  rb_reply& reply() noexcept { return whole_.reply; }

  /// What has come before an answer that was there at once.
  Metadata headers() const {
    return takes_headers() ? Metadata::of_encoded(BytesView(whole_.headers.data, whole_.headers.len)) : Metadata();
  }

 private:
  bool takes_headers() const noexcept { return (header.flags & RB_HEADER_HEADERS) != 0; }

  // The second part is there, and made, for those that take headers.
  rb_reply_headers whole_;
};

/// The result with what came before it, if anything did.
inline void put_headers(Result& result, Metadata headers) {
  if (headers.empty()) {
    return;
  }
  if (const Error* error = result.error()) {
    result = Result(Access::with_headers(*error, std::move(headers)));
  } else {
    Access::put_headers(result.response(), std::move(headers));
  }
}

/// How a call has ended that C says has.
inline Result result_of(rb_instance instance, rb_status status, Response response, rb_reply& reply) {
  auto [trailers, objects] = beside(instance, reply);
  if (status != RB_OK) {
    return Result(Error::of(status, response.bytes(), std::move(trailers)));
  }
  Access::put_beside(response, std::move(trailers), std::move(objects));
  return Result(std::move(response));
}

/// How one has ended that was over at once.
inline Result result_of(rb_instance instance, rb_status status, Response response, Carried& carried) {
  Result result = result_of(instance, status, std::move(response), carried.reply());
  put_headers(result, carried.headers());
  return result;
}

}  // namespace detail

/* ---- Operations ---- */

/// Items of a stream that came together, with the memory that they are in.
class Batch {
 public:
  Batch() noexcept = default;

  /// How many there are.
  std::size_t size() const noexcept { return ends_.empty() ? count_ : ends_.size(); }
  bool empty() const noexcept { return size() == 0; }
  /// One of them, good as long as this. `Error` with `out_of_range`: there are fewer.
  std::span<const std::byte> operator[](std::size_t index) const {
    if (index >= size()) {
      throw Error(Status::out_of_range, "there are " + std::to_string(size()) + " items");
    }
    if (ends_.empty()) {
      std::size_t stride = memory_.size() / count_;
      return memory_.bytes().subspan(index * stride, stride);
    }
    std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return memory_.bytes().subspan(begin, ends_[index] - begin);
  }
  /// All of them as structs.
  template <class Pod>
  std::vector<Pod> as() const {
    std::vector<Pod> pods;
    pods.reserve(size());
    for (std::size_t index = 0; index < size(); ++index) {
      std::span<const std::byte> item = (*this)[index];
      pods.push_back(detail::pod_of<Pod>(item.data(), item.size()));
    }
    return pods;
  }
  /// The bytes of all, which is what a stream's window counts.
  std::size_t total_bytes() const noexcept { return ends_.empty() ? memory_.size() : ends_.back(); }
  /// The objects of all, each item's behind those of the one before; each has as many as any other.
  std::vector<Object>& objects() noexcept { return objects_; }

 private:
  friend struct Event;

  Response memory_;
  std::size_t count_ = 0;
  /// Where each ends, of items of several lengths.
  std::vector<std::uint32_t> ends_;
  std::vector<Object> objects_;
};

struct Event;

namespace detail {

/// A call that was begun, from then until its end was told.
struct Begun {
  std::function<void(Event&&)> tell;
  rb_instance instance = 0;
  std::optional<CancelScope> cancel;
  std::atomic<bool> detached{false};
  /// Keeps this as long as the library knows of it.
  std::shared_ptr<Begun> self;

  static void told(void* user_data, rb_event* event) noexcept;
};

}  // namespace detail

/// A call that was begun: a number, good for what may be done with it until it's over. What comes too late gets a status and does no harm.
class Operation {
 public:
  Operation() noexcept = default;
  explicit Operation(rb_op number) noexcept : number_(number) {}

  /// 0: there's none, or it has ended before it was to be told of.
  rb_op number() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ != 0; }

  /// Asks it to end early. It ends all the same, with `cancelled` or what it had done by then.
  Status cancel() const noexcept { return detail::known(rb_op_cancel(number_, nullptr)); }

  /// Gives it up: it's cancelled, and nothing is told of it any more.
  Status detach() const noexcept {
    if (auto begun = begun_.lock()) {
      // Its function is kept until the library has told the end, and isn't called any more.
      begun->detached = true;
      return cancel();
    }
    return detail::known(rb_op_detach(number_, nullptr));
  }

  /// Takes so many items of its stream more, and so many bytes.
  Status demand(std::uint64_t items, std::uint64_t bytes) const noexcept {
    return detail::known(rb_op_demand(number_, items, bytes, nullptr));
  }

  /// Sends items into it. `resource_exhausted`: it hasn't asked for so many, and none was sent; the next event says when it does.
  Status write(std::span<const BytesView> items) const {
    std::vector<std::uint8_t> data;
    std::vector<std::uint32_t> ends;
    ends.reserve(items.size());
    for (BytesView item : items) {
      data.insert(data.end(), item.data(), item.data() + item.size());
      if (data.size() > UINT32_MAX) {
        return Status::invalid_argument;
      }
      ends.push_back(static_cast<std::uint32_t>(data.size()));
    }
    const auto* tail = reinterpret_cast<const std::uint8_t*>(ends.data());
    data.insert(data.end(), tail, tail + ends.size() * sizeof ends[0]);
    return write(data, ends.size(), RB_BATCH_ENDS);
  }

  /// Sends structs into it; otherwise as `write` of items.
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  Status write_pods(std::span<const Pod> pods) const {
    return write(BytesView(pods.data(), pods.size_bytes()), pods.size(), 0);
  }

  /// Ends what is sent: these were all.
  Status finish() const noexcept { return detail::known(rb_op_end(number_, RB_OK, nullptr, 0, nullptr)); }

  /// Ends what is sent: the rest can't be.
  Status fail(const Error& error) const {
    std::string payload = error.payload();
    BytesView bytes(payload);
    return detail::known(rb_op_end(number_, static_cast<rb_status>(error.status()), bytes.data(), bytes.size(), nullptr));
  }

 private:
  friend class Method;
  friend struct detail::Begun;

  Operation(rb_op number, std::weak_ptr<detail::Begun> begun) noexcept : number_(number), begun_(std::move(begun)) {}

  Status write(BytesView data, std::size_t count, std::uint32_t flags) const noexcept {
    if (count > UINT32_MAX) {
      return Status::invalid_argument;
    }
    rb_batch batch{};
    batch.size = sizeof batch;
    batch.flags = flags;
    batch.data = data.data();
    batch.len = data.size();
    batch.count = static_cast<std::uint32_t>(count);
    return detail::known(rb_op_write(number_, &batch, nullptr));
  }

  rb_op number_ = 0;
  std::weak_ptr<detail::Begun> begun_;
};

/// What comes with a call of a service. The views are good until the service's function returns, or as long as the event.
struct ServiceCall {
  /// The instance that calls.
  rb_instance instance = 0;
  /// How much time there was when it came.
  std::optional<std::chrono::nanoseconds> time_left{};
  std::optional<Trace> trace{};
  Metadata metadata{};
  BytesView request{};

  ServiceCall() = default;
  ServiceCall(rb_instance of, const rb_call_header* header, BytesView with) : instance(of), request(with) {
    if (header == nullptr) {
      return;
    }
    if ((header->flags & RB_HEADER_TIMEOUT) != 0) {
      time_left = std::chrono::nanoseconds(std::min<std::uint64_t>(header->timeout_ns, INT64_MAX));
    }
    if ((header->flags & RB_HEADER_TRACE) != 0) {
      trace.emplace();
      detail::copy(trace->trace_id.data(), header->trace_id, sizeof header->trace_id);
      detail::copy(trace->span_id.data(), header->span_id, sizeof header->span_id);
      trace->flags = header->trace_flags;
      trace->state = detail::view_of(header->trace_state);
    }
    metadata = Metadata::of_encoded(BytesView(header->metadata, header->metadata_len));
  }
};

/// Answers a call of a service later, once, from any thread. One that is dropped unanswered answers with an error.
class ServiceReply {
 public:
  ServiceReply() noexcept = default;
  /// For a number of an event's, or of `rb_service_later`.
  explicit ServiceReply(std::uint64_t number) : state_(std::make_shared<State>(number)) {}
  ServiceReply(ServiceReply&&) noexcept = default;
  ServiceReply& operator=(ServiceReply&& other) noexcept {
    if (this != &other) {
      drop();
      state_ = std::move(other.state_);
    }
    return *this;
  }
  ~ServiceReply() { drop(); }

  /// Answers. `failed_precondition`: nobody waits any more, or it was answered.
  Status reply(BytesView answer) const noexcept { return give(RB_OK, answer); }
  /// Answers with an error.
  Status fail(const Error& error) const { return give(static_cast<rb_status>(error.status()), error.payload()); }
  /// Whether nobody waits any more.
  bool cancelled() const noexcept { return state_ && state_->cancelled; }

 private:
  friend class Service;

  struct State {
    const std::uint64_t number;
    std::atomic<bool> answered{false};
    std::atomic<bool> cancelled{false};
    /// The thread that the service's function runs on; what that throws is the answer then.
    std::atomic<std::thread::id> inside{};

    explicit State(std::uint64_t of) noexcept : number(of) {}
  };

  Status give(rb_status status, BytesView payload) const noexcept {
    if (!state_ || state_->answered.exchange(true)) {
      return Status::failed_precondition;
    }
    return detail::known(rb_service_reply(state_->number, status, payload.data(), payload.size(), nullptr));
  }

  void drop() noexcept {
    if (state_ && !state_->answered && (state_->inside.load() != std::this_thread::get_id() || std::uncaught_exceptions() == 0)) {
      give(RB_INTERNAL, R"({"code":"INTERNAL","message":"the service's reply was dropped without an answer","type":""})");
    }
    state_.reset();
  }

  std::shared_ptr<State> state_;
};

/// What is told of a call that was begun, or of a service that goes to a queue.
struct Event {
  enum class Kind : std::uint32_t {
    /// The call has ended; `result` says how, and nothing is told of it any more.
    done = RB_EVENT_DONE,
    /// Items of its stream have come.
    items = RB_EVENT_ITEMS,
    /// It takes items.
    demand = RB_EVENT_DEMAND,
    /// A plugin calls a service.
    service = RB_EVENT_SERVICE,
    /// Nobody waits any more for the answer of a service.
    service_cancel = RB_EVENT_SERVICE_CANCEL,
    /// The call's headers have come, which it has asked for: right before the first items or the end, if the plugin says any.
    headers = RB_EVENT_HEADERS,
  };

  Kind kind = Kind::done;
  /// The call. Of a service it's none.
  Operation operation{};
  /// What was said when the call began, or the service's `tag`.
  std::uint64_t user_data = 0;
  /// Of `done`.
  std::optional<Result> result{};
  /// Of `items`.
  Batch items{};
  /// Of `demand`: how many items may be sent in all from now on, and how many bytes; the last item may go beyond them.
  std::uint64_t allowed_items = 0;
  std::uint64_t allowed_bytes = 0;
  /// Of `service` and `service_cancel`: the number that the call is known by.
  std::uint64_t service_number = 0;
  /// Of `service`: what came with it, with `request` in memory of this event's.
  ServiceCall service_call{};
  /// Of `service`: by what it's answered.
  ServiceReply reply{};

  /// Of `headers`: what the plugin says before anything else. The result of `done` has them as well.
  Metadata headers() const { return kind == Kind::headers ? Metadata::of_encoded(items.memory_.bytes()) : Metadata(); }

  Event() = default;

  /// Takes what C tells: what is lent is copied or taken over.
  Event(rb_event& event, rb_instance instance, Operation of)
      : kind(static_cast<Kind>(event.kind)), operation(std::move(of)), user_data(event.user_data) {
    Response memory;
    switch (event.kind) {
      case RB_EVENT_DONE:
        detail::Access::take(memory, event.response);
        result = detail::result_of(instance, event.status, std::move(memory), event.reply);
        break;
      case RB_EVENT_ITEMS: take_items(event, instance); break;
      case RB_EVENT_HEADERS: detail::Access::take(items.memory_, event.response); break;
      case RB_EVENT_DEMAND:
        allowed_items = event.items;
        allowed_bytes = event.bytes;
        break;
      case RB_EVENT_SERVICE:
        reply = ServiceReply(event.op);
        service_call = ServiceCall(event.instance, event.header, {});
        detail::Access::take(items.memory_, event.response);
        service_call.request = items.memory_.bytes();
        [[fallthrough]];
      default: service_number = event.op;
    }
  }
  Event(Event&& other) noexcept { *this = std::move(other); }
  Event& operator=(Event&& other) noexcept {
    kind = other.kind;
    operation = std::move(other.operation);
    user_data = other.user_data;
    result = std::move(other.result);
    items = std::move(other.items);
    allowed_items = other.allowed_items;
    allowed_bytes = other.allowed_bytes;
    service_number = other.service_number;
    service_call = std::move(other.service_call);
    reply = std::move(other.reply);
    if (kind == Kind::service) {
      service_call.request = items.memory_.bytes();
    }
    return *this;
  }

 private:
  void take_items(rb_event& event, rb_instance instance) {
    items.objects_ = detail::objects_of(instance, event.reply.objects);
    rb_response_release(&event.reply.objects);
    detail::Access::take(items.memory_, event.response);
    items.count_ = event.count;
    if ((event.flags & RB_BATCH_ENDS) == 0) {
      return;
    }
    std::size_t tail = items.count_ * sizeof(std::uint32_t);
    items.ends_.resize((std::min)(items.count_, items.memory_.size() / sizeof(std::uint32_t)));
    if (items.ends_.size() == items.count_) {
      detail::copy(items.ends_.data(), items.memory_.data() + (items.memory_.size() - tail), tail);
    }
    // The library has checked them; this is for those who read on.
    std::uint32_t before = 0;
    for (std::uint32_t& end : items.ends_) {
      end = std::clamp(end, before, static_cast<std::uint32_t>(items.memory_.size()));
      before = end;
    }
  }
};

inline void detail::Begun::told(void* user_data, rb_event* event) noexcept {
  auto* begun = static_cast<Begun*>(user_data);
  std::shared_ptr<Begun> kept = begun->self;
  if (event->kind == RB_EVENT_DONE) {
    begun->self.reset();
  }
  try {
    Event taken(*event, begun->instance, Operation(event->op, kept));
    if (!begun->detached) {
      begun->tell(std::move(taken));
    }
  } catch (...) {
    // What a host's function throws is nobody's here.
  }
}

/* ---- Methods ---- */

/// A method prepared for one encoding: a few numbers, to be kept and copied as you like, and good as long as its instance is.
class Method {
 public:
  Method() noexcept = default;

  Encoding encoding() const noexcept { return static_cast<Encoding>(method_.encoding); }
  /// Short, doesn't block and doesn't call back, says its author.
  bool is_leaf() const noexcept { return has(RB_METHOD_LEAF); }
  /// Its handler is asynchronous: `call` waits for it.
  bool is_async() const noexcept { return has(RB_METHOD_ASYNC); }
  /// It's a stream of items: `stream` begins it.
  bool gives_items() const noexcept { return has(RB_METHOD_STREAM_OUT); }
  bool takes_items() const noexcept { return has(RB_METHOD_STREAM_IN); }
  /// Objects may come with its answer.
  bool gives_objects() const noexcept { return has(RB_METHOD_OBJECTS); }
  /// It's a method of an object, which is to be the first that's lent.
  bool is_of_object() const noexcept { return has(RB_METHOD_RECEIVER); }
  /// Of pods, the sizes of the structs; else 0.
  std::uint64_t request_size() const noexcept { return method_.request_size; }
  std::uint64_t response_size() const noexcept { return method_.response_size; }
  /// The instance that it's called in.
  rb_instance instance() const noexcept { return instance_; }
  /// What C calls it by.
  std::uint32_t entry() const noexcept { return method_.entry; }

  /// Finds a method in the wire form for a typed client, and only if the types that the client was written for are the plugin's; see
  /// `rb_prepare_typed`.
  static Method typed(rb_instance instance, std::string_view name, std::string_view fingerprint, std::string_view contract) {
    Method method;
    method.instance_ = instance;
    method.method_.size = sizeof method.method_;
    rb_response error{};
    detail::check(rb_prepare_typed(instance, detail::text_of(name), detail::text_of(fingerprint), detail::text_of(contract),
                                   &method.method_, &error),
                  error);
    return method;
  }

  /// The same for requests in memory that others may write to during the call: they are copied before the plugin sees them.
  Method shared() const noexcept { return with(RB_ENTRY_SHARED); }
  /// The same, refused with `failed_precondition` unless it's a leaf method.
  Method leaf() const noexcept { return with(RB_ENTRY_LEAF); }

  /// Calls it, on this thread. Nothing goes and comes but bytes: a method that gives objects is refused.
  Response call(BytesView request) const {
    Response response;
    rb_response raw = detail::Access::storage(response);
    rb_status status = rb_call(instance_, method_.entry, request.data(), request.size(), &raw);
    detail::Access::put(response, raw);
    if (status != RB_OK) {
      throw Error::of(status, response.bytes());
    }
    return response;
  }

  /// Calls it with what the options say; headers, trailers and objects come with the answer.
  Response call(BytesView request, const CallOptions& options) const {
    detail::Carried carried(options);
    detail::CancelScope cancel(options.cancellation, true);
    Response response;
    rb_response raw = detail::Access::storage(response);
    rb_status status =
        rb_call_with(instance_, method_.entry, &carried.header, cancel.place(), request.data(), request.size(), &raw);
    detail::Access::put(response, raw);
    auto [trailers, objects] = detail::beside(instance_, carried.reply());
    if (status != RB_OK) {
      throw Error::of(status, response.bytes(), std::move(trailers), carried.headers());
    }
    detail::Access::put_beside(response, std::move(trailers), std::move(objects));
    if (Metadata headers = carried.headers(); !headers.empty()) {
      detail::Access::put_headers(response, std::move(headers));
    }
    return response;
  }

  /// Calls it with text, and gives text.
  std::string call_json(std::string_view json) const { return call(json).to_string(); }
  std::string call_json(std::string_view json, const CallOptions& options) const { return call(json, options).to_string(); }

  /// Calls it with storage for the answer, and gives the part of it that the answer takes. Nothing is allocated. `ResponseTooLarge` has
  /// an answer that doesn't fit. The storage mustn't overlap the request.
  std::span<std::byte> call_into(BytesView request, std::span<std::byte> storage) const {
    auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
    std::int64_t result = rb_call_into(instance_, method_.entry, request.data(), request.size(), to, storage.size());
    return storage.first(result < 0 ? otherwise(rb_outcome_of(result), storage) : static_cast<std::size_t>(result));
  }

  /// Begins it. The function is told of everything that happens, on whatever thread that is, one at a time; of an end that comes at once
  /// before this returns. It mustn't block, and what it throws is swallowed. Of a stream so many items and bytes are taken at first.
  /// `Error` only if nothing was begun.
  Operation begin(BytesView request, const CallOptions& options, std::function<void(Event&&)> tell, std::uint64_t items = 0,
                  std::uint64_t bytes = 0) const {
    if (!tell) {
      throw Error(Status::invalid_argument, "there's no function to tell");
    }
    auto begun = std::make_shared<detail::Begun>();
    begun->tell = options.headers ? with_headers(std::move(tell)) : std::move(tell);
    begun->instance = instance_;
    detail::Carried carried(options);
    begun->cancel.emplace(options.cancellation, false);
    rb_submission submission = submission_of(request, options, carried, items, bytes);
    rb_callback callback{};
    callback.size = sizeof callback;
    callback.tell = detail::Begun::told;
    callback.user_data = begun.get();
    Response response;
    submission.response = detail::Access::storage(response);
    begun->self = begun;
    rb_status refused = rb_start(&callback, &submission, 1);
    if (refused == RB_OK && submission.status == RB_PENDING) {
      begun->cancel->begun(submission.op);
      return Operation(submission.op, begun);
    }
    begun->self.reset();
    if (refused != RB_OK) {
      throw Error::of(refused, {});
    }
    detail::Access::put(response, submission.response);
    Event event;
    event.result = detail::result_of(instance_, submission.status, std::move(response), carried);
    try {
      begun->tell(std::move(event));
    } catch (...) {
      // As if it had been told elsewhere.
    }
    return Operation();
  }

  /// Calls it without waiting: the function is told of the end, once, on whatever thread that comes on, maybe this one. It mustn't block.
  Operation call_async(BytesView request, const CallOptions& options, std::function<void(Result)> done) const {
    refuse_streams();
    if (!done) {
      throw Error(Status::invalid_argument, "there's no function to tell");
    }
    return begin(request, options, [done = std::move(done)](Event&& event) {
      if (event.kind == Event::Kind::done) {
        done(std::move(*event.result));
      }
    });
  }

  /// Calls it without waiting. A future that is dropped lets the call go on; `CallOptions::cancellation` ends it.
  std::future<Response> call_async(BytesView request, const CallOptions& options = {}) const {
    auto promise = std::make_shared<std::promise<Response>>();
    std::future<Response> future = promise->get_future();
    call_async(request, options, [promise](Result result) {
      if (const Error* error = result.error()) {
        promise->set_exception(std::make_exception_ptr(*error));
      } else {
        promise->set_value(std::move(result.response()));
      }
    });
    return future;
  }

  /// Begins a method that gives or takes items.
  Stream stream(BytesView request, const CallOptions& options = {}) const;

  /// What C takes to begin it, for what the options hold; see `Queue::begin`.
  rb_submission submission_of(BytesView request, const CallOptions& options, const detail::Carried& carried, std::uint64_t items,
                              std::uint64_t bytes) const noexcept {
    rb_submission submission{};
    submission.size = sizeof submission;
    submission.instance = instance_;
    submission.entry = method_.entry;
    submission.flags = options.offload ? RB_SUBMIT_OFFLOAD : 0;
    submission.header = &carried.header;
    submission.request = request.data();
    submission.request_len = request.size();
    submission.demand_items = items;
    submission.demand_bytes = bytes;
    return submission;
  }

 private:
  friend class Plugin;
  friend class Object;

  Method(rb_instance instance, std::string_view name, Encoding encoding) : instance_(instance) {
    method_.size = sizeof method_;
    rb_response error{};
    detail::check(rb_prepare(instance, detail::text_of(name), static_cast<rb_encoding>(encoding), &method_, &error), error);
  }

  Method(rb_instance instance, std::uint32_t id, Encoding encoding) : instance_(instance) {
    method_.size = sizeof method_;
    rb_response error{};
    detail::check(rb_prepare_id(instance, id, static_cast<rb_encoding>(encoding), &method_, &error), error);
  }

  bool has(std::uint32_t flag) const noexcept { return (method_.flags & flag) != 0; }

  Method with(std::uint32_t bit) const noexcept {
    Method other = *this;
    other.method_.entry |= bit;
    return other;
  }

  /// Tells of the end with what came before it.
  static std::function<void(Event&&)> with_headers(std::function<void(Event&&)> tell) {
    return [tell = std::move(tell), headers = Metadata()](Event&& event) mutable {
      if (event.kind == Event::Kind::headers) {
        headers = event.headers();
      } else if (event.result) {
        detail::put_headers(*event.result, std::move(headers));
      }
      tell(std::move(event));
    };
  }

  void refuse_streams() const {
    if (gives_items() || takes_items()) {
      throw Error(Status::unimplemented, "it's a stream: begin it by `stream`", "rustbridge.StreamOnly");
    }
  }

  /// What a call with storage came to when it isn't just bytes there: how many they are after all.
  static std::size_t otherwise(rb_outcome* outcome, std::span<std::byte> storage) {
    struct Release {
      rb_outcome* outcome;
      ~Release() { rb_outcome_release(outcome); }
    } release{outcome};
    rb_response& whole = outcome->response;
    if (outcome->status != RB_OK) {
      const void* at = whole.release == nullptr ? storage.data() : static_cast<const void*>(whole.data);
      throw Error::of(outcome->status, BytesView(at, whole.len));
    }
    if (whole.len <= storage.size()) {
      // The plugin has handed over what would have fitted.
      detail::copy(storage.data(), whole.data, whole.len);
      return whole.len;
    }
    Response response;
    detail::Access::take(response, whole);
    throw ResponseTooLarge(std::move(response));
  }

  rb_instance instance_ = 0;
  rb_method method_{};
};

inline Method Object::prepare(std::string_view method, Encoding encoding) const { return Method(instance_, method, encoding); }

inline Response Object::call(std::string_view method, Encoding encoding, BytesView request, CallOptions options) const {
  options.objects.insert(options.objects.begin(), number_);
  return prepare(method, encoding).call(request, options);
}

inline Response Object::call(std::string_view method, Encoding encoding, BytesView request) const {
  return call(method, encoding, request, CallOptions());
}

inline std::string Object::call_json(std::string_view method, std::string_view json, CallOptions options) const {
  return call(method, Encoding::json, json, std::move(options)).to_string();
}

inline std::string Object::call_json(std::string_view method, std::string_view json) const {
  return call_json(method, json, CallOptions());
}

/* ---- Streams ---- */

/// One item of a stream, with its share of the memory that it's in.
class StreamItem {
 public:
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::string_view text() const noexcept { return BytesView(bytes_).text(); }
  template <class Pod>
  Pod as() const {
    return detail::pod_of<Pod>(bytes_.data(), bytes_.size());
  }
  /// The objects that came with it, to whoever asks first.
  std::vector<Object> take_objects() const {
    std::vector<Object> mine;
    std::vector<Object>& all = batch_->objects();
    std::size_t each = all.size() / batch_->size();
    for (std::size_t at = 0; at < each; ++at) {
      mine.push_back(std::move(all[index_ * each + at]));
    }
    return mine;
  }

 private:
  friend class Stream;

  StreamItem(std::shared_ptr<Batch> batch, std::size_t index)
      : batch_(std::move(batch)), index_(index), bytes_((*batch_)[index]) {}

  std::shared_ptr<Batch> batch_;
  std::size_t index_;
  std::span<const std::byte> bytes_;
};

/// A call with items: out of the plugin (a range to go through once), into it, or both ways. Letting go of one that hasn't ended cancels it.
///
/// One thread may take items while another sends. In one thread that does both, sending may wait for the plugin, which waits until items
/// are taken: so take now and then.
class Stream {
 public:
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&& other) noexcept {
    if (this != &other) {
      give_up();
      state_ = std::move(other.state_);
      batch_ = std::move(other.batch_);
      index_ = other.index_;
    }
    return *this;
  }
  ~Stream() { give_up(); }

  /// Waits for the first item or the end, and gives what the plugin said before it: nothing, if it said none. What fails isn't thrown here
  /// but by `next`. `Error` with `failed_precondition`: the options haven't asked by `CallOptions::headers`.
  Metadata headers() {
    State& state = *some();
    std::unique_lock lock(state.mutex);
    if (!state.takes_headers) {
      throw Error(Status::failed_precondition, "nobody has kept the headers: ask for them by `CallOptions::headers`");
    }
    state.changed.wait(lock, [&] { return state.has_come || state.end; });
    return state.headers;
  }

  /// Waits for the next item. None: the stream is complete. Throws what the plugin ended it with, after the items that came.
  std::optional<StreamItem> next() {
    while (!batch_ || index_ >= batch_->size()) {
      std::optional<Batch> batch = next_batch();
      if (!batch) {
        return std::nullopt;
      }
      batch_ = std::make_shared<Batch>(std::move(*batch));
      index_ = 0;
    }
    return StreamItem(batch_, index_++);
  }

  /// Waits for what has come together, which is the quickest; otherwise as `next`. Don't mix the two: what `next` has begun, it goes on with.
  std::optional<Batch> next_batch() {
    State& state = *some();
    std::unique_lock lock(state.mutex);
    state.changed.wait(lock, [&] { return !state.batches.empty() || state.end; });
    if (state.batches.empty()) {
      if (const Error* failed = state.end->error()) {
        throw *failed;
      }
      return std::nullopt;
    }
    Batch batch = std::move(state.batches.front());
    state.batches.pop_front();
    state.taken_items += batch.size();
    state.taken_bytes += batch.total_bytes();
    if (!state.end && (state.taken_items >= state.window_items / 2 || state.taken_bytes >= state.window_bytes / 2)) {
      std::uint64_t items = std::exchange(state.taken_items, 0);
      std::uint64_t bytes = std::exchange(state.taken_bytes, 0);
      // An iterator of the plugin's runs inside it, and tells of its items.
      lock.unlock();
      state.operation.demand(items, bytes);
    }
    return batch;
  }

  /// Sends an item, when the plugin takes one. False: it takes no more, and the stream's end says why.
  bool send(BytesView item) {
    return send_some(1, item.size(), [&](const Operation& to, std::size_t, std::size_t) { return to.write({&item, 1}); });
  }

  /// Sends structs, as they are taken.
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  bool send_pods(std::span<const Pod> pods) {
    return send_some(pods.size(), sizeof(Pod), [&](const Operation& to, std::size_t from, std::size_t count) {
      return to.write_pods(pods.subspan(from, count));
    });
  }
  template <class Pod>
    requires(std::is_trivially_copyable_v<Pod> && std::is_standard_layout_v<Pod>)
  bool send_pod(const Pod& pod) {
    return send_pods(std::span<const Pod>(&pod, 1));
  }

  /// Says that all items were sent. A stream that is let go of without it is cancelled.
  void finish() { some()->operation.finish(); }
  /// Says that the other items can't be sent.
  void fail(const Error& error) { some()->operation.fail(error); }

  /// Waits for the answer that a stream ends with, taking the items that are left. The second time there's none.
  Response response() {
    while (next_batch()) {
    }
    State& state = *some();
    std::lock_guard lock(state.mutex);
    if (std::exchange(state.answered, true)) {
      throw Error(Status::failed_precondition, "the answer was taken before");
    }
    return std::move(state.end->response());
  }

  /// Asks it to end early. It ends all the same, with `cancelled` or what it had done by then.
  void cancel() noexcept {
    if (state_) {
      state_->operation.cancel();
    }
  }

  /// Goes through the items, once. A step waits for the next one, and throws as `next` does.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = StreamItem;

    Iterator() noexcept = default;
    explicit Iterator(Stream& stream) : stream_(&stream), item_(stream.next()) {}
    const StreamItem& operator*() const { return *item_; }
    const StreamItem* operator->() const { return &*item_; }
    Iterator& operator++() {
      item_ = stream_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) noexcept { return !at.item_; }

   private:
    Stream* stream_ = nullptr;
    std::optional<StreamItem> item_;
  };

  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend class Method;

  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Batch> batches;
    std::optional<Result> end;
    bool answered = false;
    /// What was taken and not asked for again.
    std::uint64_t taken_items = 0;
    std::uint64_t taken_bytes = 0;
    std::uint64_t window_items = 0;
    std::uint64_t window_bytes = 0;
    /// What may be sent, and how often the plugin has said so.
    std::uint64_t allowed_items = 0;
    std::uint64_t allowed_bytes = 0;
    std::uint64_t demands = 0;
    /// What came before the first item, and whether that or an item has come.
    Metadata headers;
    bool has_come = false;
    bool takes_headers = false;
    Operation operation;

    void told(Event&& event) {
      std::lock_guard lock(mutex);
      if (event.kind == Event::Kind::done) {
        end = std::move(event.result);
        if (takes_headers && !has_come) {
          headers = end->headers();
        }
      } else if (event.kind == Event::Kind::items) {
        has_come = true;
        batches.push_back(std::move(event.items));
      } else if (event.kind == Event::Kind::headers) {
        has_come = true;
        headers = event.headers();
      } else if (event.kind == Event::Kind::demand) {
        allowed_items = event.allowed_items;
        allowed_bytes = event.allowed_bytes;
        ++demands;
      }
      changed.notify_all();
    }
  };

  Stream(const Method& method, BytesView request, const CallOptions& options) : state_(std::make_shared<State>()) {
    if (!method.gives_items() && !method.takes_items()) {
      throw Error(Status::unimplemented, "it's no stream: call it", "rustbridge.NoStream");
    }
    state_->window_items = std::max<std::uint64_t>(options.window_items, 1);
    state_->window_bytes = std::max<std::uint64_t>(options.window_bytes, 1);
    state_->takes_headers = options.headers;
    auto tell = [state = state_](Event&& event) { state->told(std::move(event)); };
    state_->operation = method.begin(request, options, std::move(tell), method.gives_items() ? state_->window_items : 0,
                                     method.gives_items() ? state_->window_bytes : 0);
  }

  const std::shared_ptr<State>& some() const {
    if (!state_) {
      throw Error(Status::failed_precondition, "the stream was moved elsewhere");
    }
    return state_;
  }

  void give_up() noexcept {
    if (state_) {
      bool ended = false;
      {
        std::lock_guard lock(state_->mutex);
        ended = state_->end.has_value();
      }
      if (!ended) {
        state_->operation.detach();
      }
      state_.reset();
    }
  }

  /// Sends so many items, each of so many bytes, by as many writes as it takes.
  template <class Write>
  bool send_some(std::size_t count, std::size_t bytes, Write&& write) {
    State& state = *some();
    for (std::size_t sent = 0; sent < count;) {
      std::unique_lock lock(state.mutex);
      state.changed.wait(lock, [&] { return state.end || (state.allowed_items > 0 && state.allowed_bytes > 0); });
      if (state.end) {
        return false;
      }
      std::uint64_t fit = bytes == 0 ? state.allowed_items : (std::min)(state.allowed_items, (state.allowed_bytes - 1) / bytes + 1);
      auto now = static_cast<std::size_t>(std::min<std::uint64_t>(fit, count - sent));
      // Counted before it's sent: a demand that is told meanwhile says what is allowed in all, and stays as it is.
      state.allowed_items -= now;
      state.allowed_bytes -= std::min<std::uint64_t>(state.allowed_bytes, now * bytes);
      std::uint64_t seen = state.demands;
      lock.unlock();
      Status status = write(state.operation, sent, now);
      if (status == Status::ok) {
        sent += now;
      } else if (status == Status::resource_exhausted) {
        lock.lock();
        if (state.demands == seen) {
          state.allowed_items = 0;
        }
      } else if (status == Status::invalid_argument) {
        throw Error(status, "such items can't be sent");
      } else {
        return false;
      }
    }
    return true;
  }

  std::shared_ptr<State> state_;
  std::shared_ptr<Batch> batch_;
  std::size_t index_ = 0;
};

inline Stream Method::stream(BytesView request, const CallOptions& options) const { return Stream(*this, request, options); }

/* ---- Methods of structs ---- */

/// A method whose request and answer are C structs of fixed size, which go as they are: a call is the C call and a look at what it gave.
/// Sizes are compared with the plugin's when it's prepared, by `Plugin::prepare_pod`. An empty struct stands for no bytes.
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
        (!method.takes_items() && !method.gives_items() && method.response_size() != answer_bytes)) {
      throw Error(Status::invalid_argument,
                  "the plugin's structs have " + std::to_string(method.request_size()) + " and " +
                      std::to_string(method.response_size()) + " bytes, these have " + std::to_string(request_bytes) + " and " +
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

  /// Begins a stream, whose request is this.
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

/* ---- Queues ---- */

/// Where a host with a loop of its own fetches what is told of its calls, and of services that go there. One thread fetches at a time.
class Queue {
 public:
  /// A call that was begun: it has ended if it has a result, and is told of otherwise.
  struct Begun {
    Operation operation{};
    std::optional<Result> result{};
  };

  Queue() : calls_(std::make_unique<Calls>()) {
    rb_response error{};
    detail::check(rb_queue_new(&number_, &error), error);
  }
  Queue(Queue&& other) noexcept : number_(std::exchange(other.number_, 0)), calls_(std::move(other.calls_)) {}
  Queue& operator=(Queue&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, 0);
      calls_ = std::move(other.calls_);
    }
    return *this;
  }
  ~Queue() { close(); }

  rb_queue number() const noexcept { return number_; }

  /// Begins a call whose events come here, with `user_data` in each. Of a stream so many items and bytes are taken at first.
  Begun begin(const Method& method, BytesView request, const CallOptions& options = {}, std::uint64_t user_data = 0,
              std::uint64_t items = 0, std::uint64_t bytes = 0) {
    Calls& calls = *some();
    detail::Carried carried(options);
    rb_submission submission = method.submission_of(request, options, carried, items, bytes);
    Begun begun;
    Response response;
    submission.response = detail::Access::storage(response);
    auto call = std::make_shared<Call>(method.instance(), user_data, options.cancellation);
    {
      std::lock_guard lock(calls.mutex);
      submission.user_data = ++calls.last;
      calls.pending.emplace(submission.user_data, call);
    }
    rb_status refused = rb_submit(number_, &submission, 1);
    if (refused == RB_OK && submission.status == RB_PENDING) {
      call->cancel.begun(submission.op);
      begun.operation = Operation(submission.op);
      return begun;
    }
    {
      std::lock_guard lock(calls.mutex);
      calls.pending.erase(submission.user_data);
    }
    if (refused != RB_OK) {
      throw Error::of(refused, {});
    }
    detail::Access::put(response, submission.response);
    begun.result = detail::result_of(method.instance(), submission.status, std::move(response), carried);
    return begun;
  }

  /// Fetches up to so many events, waiting for the first one as long as that. None in time is no failure. `aborted`: another thread is
  /// fetching.
  template <class Rep, class Period>
  std::vector<Event> next(std::chrono::duration<Rep, Period> timeout, std::size_t most = 16) {
    Calls& calls = *some();
    std::vector<rb_event> raw(std::clamp<std::size_t>(most, 1, 1024));
    raw[0].size = sizeof raw[0];
    std::size_t count = 0;
    rb_response error{};
    detail::check(
        rb_queue_next(number_, raw.data(), raw.size(), nullptr, 0, detail::milliseconds_of(timeout), &count, &error), error);
    std::vector<Event> events;
    events.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
      rb_event& event = raw[at];
      bool of_service = event.kind == RB_EVENT_SERVICE || event.kind == RB_EVENT_SERVICE_CANCEL;
      Metadata headers;
      rb_instance instance = of_service ? event.instance : calls.known(event, headers);
      events.emplace_back(event, instance, of_service ? Operation() : Operation(event.op));
      if (!headers.empty()) {
        detail::put_headers(*events.back().result, std::move(headers));
      }
    }
    return events;
  }

  /// What a loop watches: readable, on Windows a set event's handle, when something has come since `next` has found nothing more.
  std::ptrdiff_t descriptor() const {
    std::ptrdiff_t descriptor = -1;
    rb_response error{};
    detail::check(rb_queue_fd(number_, &descriptor, &error), error);
    return descriptor;
  }

  /// Has the thread that waits in `next`, or the next one that would, return once.
  void wake() const {
    rb_response error{};
    detail::check(rb_queue_wake(number_, &error), error);
  }

  /// Gives up what was begun for it, and ends the calls of its services, also those to come.
  void close() noexcept {
    if (rb_queue number = std::exchange(number_, 0); number != 0) {
      rb_queue_close(number, nullptr);
    }
  }

 private:
  struct Call {
    rb_instance instance;
    std::uint64_t user_data;
    detail::CancelScope cancel;
    /// What came before its end.
    Metadata headers{};

    Call(rb_instance of, std::uint64_t data, const std::optional<Cancellation>& cancellation)
        : instance(of), user_data(data), cancel(cancellation, false) {}
  };

  /// What was begun, by the number that its events have. Who is given up stays here until the queue goes.
  struct Calls {
    std::mutex mutex;
    std::uint64_t last = 0;
    std::unordered_map<std::uint64_t, std::shared_ptr<Call>> pending;

    /// The instance of an event's call; its own `user_data` takes the number's place. Of an end there are the headers that came before it.
    rb_instance known(rb_event& event, Metadata& headers) {
      std::lock_guard lock(mutex);
      auto found = pending.find(event.user_data);
      if (found == pending.end()) {
        return 0;
      }
      rb_instance instance = found->second->instance;
      event.user_data = found->second->user_data;
      if (event.kind == RB_EVENT_HEADERS) {
        found->second->headers = Metadata::of_encoded(BytesView(event.response.data, event.response.len));
      } else if (event.kind == RB_EVENT_DONE) {
        headers = std::move(found->second->headers);
        pending.erase(found);
      }
      return instance;
    }
  };

  const std::unique_ptr<Calls>& some() const {
    if (number_ == 0 || !calls_) {
      throw Error(Status::invalid_argument, "the queue is closed, or was moved elsewhere");
    }
    return calls_;
  }

  rb_queue number_ = 0;
  std::unique_ptr<Calls> calls_;
};

/* ---- Services ---- */

/// A function of the host's that a plugin calls, registered when it's loaded. It runs on the plugin's thread that asks, any number at once.
/// It may call the plugin, but not close it. An `Error` that it throws reaches the plugin whole, another exception as `internal`.
class Service {
 public:
  /// Answers a call at once.
  using Function = std::function<std::string(const ServiceCall& call)>;
  /// Answers a call later, by the reply.
  using Later = std::function<void(const ServiceCall& call, ServiceReply reply)>;

  /// A service in any encoding; `call.request` is the request, and the answer is its bytes.
  Service(std::string name, Encoding encoding, Function function)
      : name_(std::move(name)), encoding_(encoding), function_(std::move(function)) {}

  /// A service by JSON, of text to text.
  static Service json(std::string name, std::function<std::string(std::string_view request)> function) {
    Function of_call;
    if (function) {
      of_call = [function = std::move(function)](const ServiceCall& call) { return function(call.request.text()); };
    }
    return Service(std::move(name), Encoding::json, std::move(of_call));
  }

  /// A service of structs.
  template <class Request, class Answer>
  static Service pod(std::string name, std::function<Answer(const Request&)> function) {
    Function of_call;
    if (function) {
      of_call = [function = std::move(function)](const ServiceCall& call) {
        Answer answer = function(detail::pod_of<Request>(call.request.data(), call.request.size()));
        return std::string(BytesView::of(answer).text());
      };
    }
    return Service(std::move(name), Encoding::pod, std::move(of_call));
  }

  /// A service that keeps no thread of the plugin's: its function gets a reply to answer by when it can.
  static Service later(std::string name, Encoding encoding, Later function) {
    Service service(std::move(name), encoding, Function());
    service.later_ = std::move(function);
    return service;
  }

  /// A service that goes to a queue, where its calls are events with `tag` as their `user_data`. The queue has to stay open as long as the
  /// plugin may call it.
  static Service queued(std::string name, Encoding encoding, const Queue& queue, std::uint64_t tag = 0) {
    Service service(std::move(name), encoding, Function());
    service.queue_ = queue.number();
    service.tag_ = tag;
    return service;
  }

  const std::string& name() const noexcept { return name_; }
  Encoding encoding() const noexcept { return encoding_; }

 private:
  friend class Plugin;

  /// What the library knows a service of a function by, until it drops it.
  struct Target {
    Function function;
    Later later;
    /// Those that answer later and are told when nobody waits any more.
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::weak_ptr<ServiceReply::State>> waiting;

    rb_status answer(const rb_service_call* raw, rb_response* response) {
      ServiceCall call(raw->instance, raw->header, BytesView(raw->request, raw->request_len));
      if (later) {
        return begin(raw, call, response);
      }
      std::string answer = function(call);
      BytesView bytes(answer);
      return rb_respond(response, bytes.data(), bytes.size());
    }

    rb_status begin(const rb_service_call* raw, const ServiceCall& call, rb_response* response) {
      std::uint64_t number = 0;
      std::shared_ptr<ServiceReply::State> state;
      {
        // Whoever is told that nobody waits any more finds it here.
        std::lock_guard lock(mutex);
        if (rb_status status = rb_service_later(raw, &number, response); status != RB_OK) {
          return status;
        }
        std::erase_if(waiting, [](const auto& one) { return one.second.expired(); });
        state = std::make_shared<ServiceReply::State>(number);
        waiting.emplace(number, state);
      }
      state->inside = std::this_thread::get_id();
      ServiceReply reply;
      reply.state_ = state;
      try {
        later(call, std::move(reply));
        state->inside = std::thread::id();
      } catch (...) {
        state->inside = std::thread::id();
        ServiceReply thrown;
        thrown.state_ = std::move(state);
        thrown.fail(error_of_current());
      }
      return RB_PENDING;
    }

    void cancelled(std::uint64_t number) {
      std::lock_guard lock(mutex);
      if (auto found = waiting.find(number); found != waiting.end()) {
        if (auto state = found->second.lock()) {
          state->cancelled = true;
        }
        waiting.erase(found);
      }
    }
  };

  /// The exception that is being handled, as a plugin gets it.
  static Error error_of_current() {
    try {
      throw;
    } catch (const Error& error) {
      return error;
    } catch (const std::exception& error) {
      return Error(Status::internal, error.what(), "std::exception");
    } catch (...) {
      return Error(Status::internal, "the service has thrown what is no exception");
    }
  }

  static rb_status called(void* user_data, const rb_service_call* call, rb_response* response) noexcept {
    try {
      try {
        return static_cast<Target*>(user_data)->answer(call, response);
      } catch (...) {
        Error error = error_of_current();
        std::string payload = error.payload();
        BytesView bytes(payload);
        rb_respond(response, bytes.data(), bytes.size());
        return static_cast<rb_status>(error.status());
      }
    } catch (...) {
      // There's no memory to say more.
      return RB_INTERNAL;
    }
  }

  static void told(void* user_data, std::uint64_t number) noexcept {
    try {
      static_cast<Target*>(user_data)->cancelled(number);
    } catch (...) {
      // It can't be said, and a reply that comes all the same does no harm.
    }
  }

  static void dropped(void* user_data) noexcept { delete static_cast<Target*>(user_data); }

  /// As C takes it. What it has for `user_data` is the library's from `rb_load` on.
  rb_service to_native() const {
    rb_service service{};
    service.size = sizeof service;
    service.encoding = static_cast<rb_encoding>(encoding_);
    service.name = detail::text_of(name_);
    service.queue = queue_;
    if (queue_ != 0) {
      service.user_data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(tag_));
    } else if (function_ || later_) {
      auto target = std::make_unique<Target>();
      target->function = function_;
      target->later = later_;
      service.call = called;
      service.cancel = later_ ? told : nullptr;
      service.drop = dropped;
      service.user_data = target.release();
    }
    return service;
  }

  std::string name_;
  Encoding encoding_;
  Function function_;
  Later later_;
  rb_queue queue_ = 0;
  std::uint64_t tag_ = 0;
};

/* ---- Logging ---- */

/// One log record. All of it is lent until the sink returns.
struct LogRecord {
  Level level = Level::off;
  /// It's the end of a span: `message` is its name, `duration` how long it was open.
  bool is_span = false;
  /// The part of the plugin that speaks.
  std::string_view target{};
  std::string_view message{};
  /// The structured fields: a JSON object, or empty.
  std::string_view fields{};
  /// The spans that it happened in, outermost first: a JSON array, or empty.
  std::string_view spans{};
  /// The instance's name.
  std::string_view instance{};
  std::string_view thread{};
  std::string_view file{};
  std::uint32_t line = 0;
  /// When it happened; a span's is its end.
  std::chrono::sys_time<std::chrono::nanoseconds> time{};
  std::chrono::nanoseconds duration{};
  /// What it's part of; all zero without a trace.
  std::span<const std::uint8_t, 16> trace_id;
  std::span<const std::uint8_t, 8> span_id;
  std::span<const std::uint8_t, 8> parent_span_id;

  explicit LogRecord(const rb_log_record& record) noexcept
      : level(static_cast<Level>(record.level)),
        is_span(record.kind == RB_RECORD_SPAN),
        target(detail::view_of(record.target)),
        message(detail::view_of(record.message)),
        fields(detail::view_of(record.fields)),
        spans(detail::view_of(record.spans)),
        instance(detail::view_of(record.instance)),
        thread(detail::view_of(record.thread)),
        file(detail::view_of(record.file)),
        line(record.line),
        time(std::chrono::nanoseconds(record.time_unix_ns)),
        duration(std::chrono::nanoseconds(record.duration_ns)),
        trace_id(record.trace_id),
        span_id(record.span_id),
        parent_span_id(record.parent_span_id) {}
};

/// Takes log records: one at a time, in order, on a thread of the library's. A slow one costs records, never calls.
using LogSink = std::function<void(const LogRecord&)>;

namespace detail {

/// A sink as C takes it. What it has for `user_data` is the library's from the call on that it's passed to.
inline rb_log_sink sink_of(LogSink sink) {
  rb_log_sink native{};
  native.size = sizeof native;
  if (sink) {
    native.log = [](void* user_data, const rb_log_record* record) noexcept {
      if (record->kind != RB_RECORD_EVENT && record->kind != RB_RECORD_SPAN) {
        return;
      }
      try {
        (*static_cast<LogSink*>(user_data))(LogRecord(*record));
      } catch (...) {
        // There's nobody to tell: a log that can't be written mustn't end the process.
      }
    };
    native.drop = [](void* user_data) noexcept { delete static_cast<LogSink*>(user_data); };
    native.user_data = new LogSink(std::move(sink));
  }
  return native;
}

}  // namespace detail

/* ---- Plugins ---- */

/// How to load a plugin, and what the host wants of the instance.
struct Config {
  /// The plugin's configuration as JSON; none is `{}`.
  std::optional<std::string> json{};
  /// What to call the instance in messages and records; empty is the plugin's own name.
  std::string name{};
  /// The level up to which records are made. None is `info` with a `log`, and `off` without.
  std::optional<Level> log_level{};
  /// Where the records go. What it refers to has to last until the plugin is closed.
  LogSink log{};
  /// How many records may wait for it before the newest are dropped; 0 is the library's own number, 4096.
  std::uint32_t log_capacity = 0;
  /// The functions of the host's that the plugin may call. One that it needs and that is missing keeps it from being loaded.
  std::vector<Service> services{};
  /// What the typed client was written from that loads, a plugin's description, to be compared with what the plugin calls; empty for none.
  std::string contract{};
  /// Whether a panic makes the instance refuse further calls.
  bool poison_on_panic = false;
  /// Whether errors of panics have Rust's backtrace.
  bool backtraces = false;
  /// Whether the library is mapped once more for this instance alone; see `RB_LOAD_OWN_COPY`.
  bool own_copy = false;
  /// How long the destructor waits for calls that run.
  std::chrono::milliseconds close_timeout = std::chrono::seconds(10);
  /// For how long the destructor lets go on what is pending before it's cancelled; none: it isn't.
  std::optional<std::chrono::milliseconds> cancel_after{};
};

/// A running plugin: one instance, with its own configuration, state and log level. The destructor closes it.
class Plugin {
 public:
  /// Stands for none.
  Plugin() noexcept = default;
  Plugin(Plugin&& other) noexcept
      : instance_(std::exchange(other.instance_, 0)), close_timeout_(other.close_timeout_), cancel_after_(other.cancel_after_) {}
  Plugin& operator=(Plugin&& other) noexcept {
    if (this != &other) {
      end();
      instance_ = std::exchange(other.instance_, 0);
      close_timeout_ = other.close_timeout_;
      cancel_after_ = other.cancel_after_;
    }
    return *this;
  }
  /// Closes it, waiting for running calls as `Config::close_timeout` says. What fails is swallowed: `close` tells it. Calls that go on
  /// longer keep the instance, which takes no others, until the process ends; so do those that this runs inside.
  ~Plugin() { end(); }

  /// Loads a plugin from a file and makes an instance of it.
  static Plugin load(const std::filesystem::path& path, const Config& config = {}) {
    rb_load_options options{};
    std::u8string text = text_of(path);
    options.path = {reinterpret_cast<const char*>(text.data()), text.size()};
    return load(options, config);
  }

  /// Loads one from the bytes of its library.
  static Plugin load_image(BytesView image, const Config& config = {}) {
    rb_load_options options{};
    options.image = image.data();
    options.image_len = image.size();
    return load(options, config);
  }

  /// What a plugin says of itself, as JSON, without an instance of it.
  static std::string describe(const std::filesystem::path& path) {
    rb_load_options options{};
    std::u8string text = text_of(path);
    options.size = sizeof options;
    options.path = {reinterpret_cast<const char*>(text.data()), text.size()};
    return said([&](rb_response* response) { return rb_describe_plugin(&options, response); });
  }

  /// What it says of itself, as JSON: name, version, methods with their encodings, schemas and layouts.
  std::string describe() const {
    return said([&](rb_response* response) { return rb_describe(instance_, response); });
  }

  /// The number that stands for the instance; 0 of one that stands for none.
  rb_instance handle() const noexcept { return instance_; }
  explicit operator bool() const noexcept { return instance_ != 0; }

  State state() const {
    std::uint32_t state = 0;
    rb_response error{};
    detail::check(rb_state(instance_, &state, &error), error);
    return static_cast<State>(state);
  }

  /// Finds a method by name, or by its number, for one encoding. Do it once and keep what it gives.
  Method prepare(std::string_view method, Encoding encoding = Encoding::json) const { return Method(instance_, method, encoding); }
  Method prepare_id(std::uint32_t id, Encoding encoding = Encoding::json) const { return Method(instance_, id, encoding); }

  /// Finds a method of structs, and compares their sizes.
  template <class Request, class Answer>
  PodMethod<Request, Answer> prepare_pod(std::string_view method) const {
    return PodMethod<Request, Answer>(prepare(method, Encoding::pod));
  }

  /// Calls a method by name, looking it up each time.
  Response call(std::string_view method, Encoding encoding, BytesView request) const {
    return prepare(method, encoding).call(request);
  }
  Response call(std::string_view method, Encoding encoding, BytesView request, const CallOptions& options) const {
    return prepare(method, encoding).call(request, options);
  }
  std::string call_json(std::string_view method, std::string_view json) const { return prepare(method).call_json(json); }
  std::string call_json(std::string_view method, std::string_view json, const CallOptions& options) const {
    return prepare(method).call_json(json, options);
  }

  /// Sets the level up to which records are made, at once.
  void set_log_level(Level level) const {
    rb_response error{};
    detail::check(rb_log_set_level(instance_, static_cast<rb_level>(level), &error), error);
  }

  /// Replaces the sink; an empty one is none. Waits for the old one to return from the record that it's in.
  template <class Rep = std::int64_t, class Period = std::milli>
  void set_log_sink(LogSink sink, std::chrono::duration<Rep, Period> timeout = std::chrono::milliseconds(10000)) const {
    rb_log_sink native = detail::sink_of(std::move(sink));
    rb_response error{};
    detail::check(rb_log_set_sink(instance_, &native, detail::milliseconds_of(timeout), &error), error);
  }

  /// Waits until the records so far were delivered.
  template <class Rep, class Period>
  void flush_logs(std::chrono::duration<Rep, Period> timeout) const {
    rb_response error{};
    detail::check(rb_log_flush(instance_, detail::milliseconds_of(timeout), &error), error);
  }

  /// Closes it: refuses new calls, waits for those that run, delivers the log and ends the instance. One that is closed stays so.
  /// `deadline_exceeded`: calls still run, and the details say which; closing again goes on waiting. `failed_precondition`: it was called
  /// from inside a call of the same instance. `duration::max()` waits for good.
  template <class Rep = std::int64_t, class Period = std::milli>
  void close(std::chrono::duration<Rep, Period> timeout = std::chrono::milliseconds(10000)) const {
    rb_response report{};
    closed(rb_close(instance_, detail::milliseconds_of(timeout), &report), report);
  }

  /// Closes it, and cancels what is pending after a time of its own.
  template <class Rep, class Period, class OtherRep, class OtherPeriod>
  void close(std::chrono::duration<Rep, Period> timeout, std::chrono::duration<OtherRep, OtherPeriod> cancel_after) const {
    rb_response report{};
    rb_close_options options = closing(detail::milliseconds_of(timeout), detail::milliseconds_of(cancel_after));
    closed(rb_close_with(instance_, &options, &report), report);
  }

 private:
  explicit Plugin(const Config& config) noexcept : close_timeout_(config.close_timeout), cancel_after_(config.cancel_after) {}

  static std::u8string text_of(const std::filesystem::path& path) {
#if defined(_WIN32)
    return path.u8string();
#else
    // Bytes as the system has them, whatever they mean.
    const std::string& native = path.native();
    return std::u8string(native.begin(), native.end());
#endif
  }

  static Plugin load(rb_load_options& options, const Config& config) {
    if (rb_abi_version() >> 16 != RB_ABI_MAJOR) {
      throw Error(Status::failed_precondition, "librustbridge has another major version than rustbridge.h", "rustbridge.AbiVersion");
    }
    Plugin plugin(config);
    options.size = sizeof options;
    options.flags = (config.poison_on_panic ? RB_LOAD_POISON : 0u) | (config.backtraces ? RB_LOAD_BACKTRACE : 0u) |
                    (config.own_copy ? RB_LOAD_OWN_COPY : 0u);
    if (config.json) {
      // Null would say that there's none.
      options.config = reinterpret_cast<const std::uint8_t*>(config.json->data());
      options.config_len = config.json->size();
    }
    options.name = detail::text_of(config.name);
    options.log_level = static_cast<rb_level>(config.log_level.value_or(config.log ? Level::info : Level::off));
    options.log_capacity = config.log_capacity;
    Lent lent(config);
    options.log = config.log ? &lent.sink : nullptr;
    options.services = lent.services.empty() ? nullptr : lent.services.data();
    options.service_count = lent.services.size();
    options.contract = detail::text_of(config.contract);
    rb_response error{};
    lent.is_the_librarys = true;
    detail::check(rb_load(&options, &plugin.instance_, &error), error);
    return plugin;
  }

  /// What the library is handed, dropped here if it never is.
  struct Lent {
    rb_log_sink sink{};
    std::vector<rb_service> services;
    bool is_the_librarys = false;

    explicit Lent(const Config& config) {
      services.reserve(config.services.size());
      try {
        for (const Service& service : config.services) {
          services.push_back(service.to_native());
        }
        sink = detail::sink_of(config.log);
      } catch (...) {
        drop();
        throw;
      }
    }
    Lent(const Lent&) = delete;
    ~Lent() {
      if (!is_the_librarys) {
        drop();
      }
    }

    void drop() noexcept {
      for (const rb_service& service : services) {
        if (service.drop != nullptr) {
          service.drop(service.user_data);
        }
      }
      if (sink.drop != nullptr) {
        sink.drop(sink.user_data);
      }
    }
  };

  template <class Ask>
  static std::string said(Ask&& ask) {
    Response response;
    rb_response raw = detail::Access::storage(response);
    rb_status status = ask(&raw);
    detail::Access::put(response, raw);
    if (status != RB_OK) {
      throw Error::of(status, response.bytes());
    }
    return response.to_string();
  }

  static rb_close_options closing(std::uint64_t timeout_ms, std::optional<std::uint64_t> cancel_after_ms) noexcept {
    rb_close_options options{};
    options.size = sizeof options;
    options.flags = cancel_after_ms ? RB_CLOSE_CANCEL : 0;
    options.timeout_ms = timeout_ms;
    options.cancel_after_ms = cancel_after_ms.value_or(0);
    return options;
  }

  static void closed(rb_status status, rb_response& report) {
    if (status == RB_UNAVAILABLE) {
      // It's closed already, and that is what was wanted.
      rb_response_release(&report);
    } else {
      detail::check(status, report);
    }
  }

  void end() noexcept {
    if (instance_ != 0) {
      std::optional<std::uint64_t> cancel_after;
      if (cancel_after_) {
        cancel_after = detail::milliseconds_of(*cancel_after_);
      }
      rb_close_options options = closing(detail::milliseconds_of(close_timeout_), cancel_after);
      rb_close_with(instance_, &options, nullptr);
      instance_ = 0;
    }
  }

  friend std::string inspect();

  rb_instance instance_ = 0;
  std::chrono::milliseconds close_timeout_{10000};
  std::optional<std::chrono::milliseconds> cancel_after_;
};

/// What is loaded in this process, as JSON: the mapped libraries, and the live instances with state, running and pending calls. For people
/// and tests.
inline std::string inspect() {
  return Plugin::said([](rb_response* response) { return rb_inspect(response); });
}

}  // namespace rustbridge

#endif  // RUSTBRIDGE_HPP

/*
 * rustbridge_wire.hpp: typed values and their wire format, for clients that `rustbridge gen --language cpp` generates.
 *
 * Users of such a client need the types in `rustbridge`: numbers of 128 bits, UUIDs, times, dynamic values, and enums with data. The types
 * in `rustbridge::wire` are for generated code. docs/wire.md describes the wire format. This file is written by hand.
 *
 * A value is written and read by the `Codec` of its type. The first pass over a value doesn't record the path for error messages. If it
 * fails, a second pass over the value finds the path.
 */

#ifndef RUSTBRIDGE_WIRE_HPP
#define RUSTBRIDGE_WIRE_HPP

#include "rustbridge.hpp"

#include "rustbridge/wire/codec.hpp"
#include "rustbridge/wire/cold.hpp"
#include "rustbridge/wire/dynamic.hpp"
#include "rustbridge/wire/lists.hpp"
#include "rustbridge/wire/numbers.hpp"
#include "rustbridge/wire/path.hpp"
#include "rustbridge/wire/reader.hpp"
#include "rustbridge/wire/records.hpp"
#include "rustbridge/wire/times.hpp"
#include "rustbridge/wire/values.hpp"
#include "rustbridge/wire/writer.hpp"

namespace rustbridge::wire {

/// The role of a message from a plugin. Determines the error if the message doesn't match its type.
struct MessageRole {
  std::string_view name;
  Status status;
  std::string_view error_type;
};

/// The response to a call.
inline constexpr MessageRole response_role{"response", Status::internal, "rustbridge.InvalidResponse"};
/// The request of a service call.
inline constexpr MessageRole request_role{"request", Status::invalid_argument, "rustbridge.InvalidRequest"};

namespace detail {

inline std::string path_of(const Wrong& wrong, std::string_view first) {
  return std::string(wrong.path.empty() ? first : std::string_view(wrong.path));
}

inline std::string details_of(std::string_view path) {
  std::string details = "{\"path\":";
  rustbridge::detail::append_json_text(details, path);
  details += '}';
  return details;
}

/// Visits a value again to find the path of an error in it.
template <class Value>
[[noreturn]] RUSTBRIDGE_COLD void refuse_request(Wrong wrong, const Value& value, std::string_view method, std::string_view first,
                                                 LentObjects* lent) {
  try {
    Output again;
    Writer<Steps> writer(again, lent, Steps(std::string(first)));
    Codec<Value>::write(writer, value);
  } catch (const Wrong& with_path) {
    wrong = with_path;
  }
  std::string path = path_of(wrong, first);
  throw Error(wrong.status, std::string(method) + ": " + path + ": " + wrong.what, "rustbridge.InvalidRequest", details_of(path));
}

/// The same for a message.
template <class Value>
[[noreturn]] RUSTBRIDGE_COLD void refuse_message(Wrong wrong, BytesView message, std::string_view method, std::string_view first,
                                                 std::span<Object> objects, const MessageRole& role) {
  try {
    Reader<Steps> reader(message, objects, nullptr, Steps(std::string(first)));
    Value value{};
    Codec<Value>::read(reader, value);
    reader.end();
  } catch (const Wrong& with_path) {
    wrong = with_path;
  }
  std::string path = path_of(wrong, first);
  throw Error(role.status,
              std::string(method) + ": the plugin's " + std::string(role.name) + " doesn't match its type: byte " + std::to_string(wrong.at) +
                  ": " + wrong.what + " (" + path + ")",
              role.error_type, details_of(path));
}

}  // namespace detail

/// Writes a message. `Error` with `invalid_argument` names the field that doesn't fit, below `first`. Objects in it are appended to those that the
/// call already borrows, and must belong to the instance.
template <class Value>
void encode(Output& output, const Value& value, std::string_view method, std::string_view first, LentObjects* lent = nullptr) {
  try {
    Writer<NoSteps> writer(output, lent);
    Codec<Value>::write(writer, value);
  } catch (const Wrong& wrong) {
    detail::refuse_request(wrong, value, method, first, lent);
  }
}

/// Reads a message. `Error` with the role's status names the field at which it doesn't match its type, below `first`.
template <class Value>
Value decode(BytesView message, std::string_view method, std::string_view first, std::span<Object> objects = {},
             const Context* context = nullptr, const MessageRole& role = response_role) {
  try {
    Reader<NoSteps> reader(message, objects, context);
    Value value{};
    Codec<Value>::read(reader, value);
    reader.end();
    return value;
  } catch (const Wrong& wrong) {
    detail::refuse_message<Value>(wrong, message, method, first, objects, role);
  }
}

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_HPP

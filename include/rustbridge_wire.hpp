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

namespace detail {

[[noreturn]] RUSTBRIDGE_COLD inline void refuse(const Wrong& wrong, Status status, std::string_view method, std::string_view first,
                                                bool is_answer) {
  std::string path(wrong.path.empty() ? first : std::string_view(wrong.path));
  std::string details = "{\"path\":";
  rustbridge::detail::append_json_text(details, path);
  details += '}';
  if (is_answer) {
    throw Error(status,
                std::string(method) + ": the plugin's response doesn't match its type: byte " + std::to_string(wrong.at) + ": " +
                    wrong.what + " (" + path + ")",
                "rustbridge.InvalidResponse", details);
  }
  throw Error(status, std::string(method) + ": " + path + ": " + wrong.what, "rustbridge.InvalidRequest", details);
}

/// Visits a value again to find the path of an error in it.
template <class Value>
[[noreturn]] RUSTBRIDGE_COLD void refuse_request(Wrong wrong, const Value& value, std::string_view method, std::string_view first,
                                                 std::vector<rb_object>* objects, rb_instance instance) {
  try {
    Output again;
    Writer<Steps> writer(again, objects, instance, Steps(std::string(first)));
    Codec<Value>::write(writer, value);
  } catch (const Wrong& with_path) {
    wrong = with_path;
  }
  refuse(wrong, wrong.status, method, first, false);
}

/// The same for a message.
template <class Value>
[[noreturn]] RUSTBRIDGE_COLD void refuse_answer(Wrong wrong, BytesView message, std::string_view method, std::string_view first,
                                                std::span<Object> objects) {
  try {
    Reader<Steps> reader(message, objects, nullptr, Steps(std::string(first)));
    Value value{};
    Codec<Value>::read(reader, value);
    reader.end();
  } catch (const Wrong& with_path) {
    wrong = with_path;
  }
  refuse(wrong, Status::internal, method, first, true);
}

}  // namespace detail

/// Writes a message. `Error` with `invalid_argument` names the field that doesn't fit, below `first`. Objects in it are appended to those that the
/// call already borrows, and must belong to the instance.
template <class Value>
void encode(Output& output, const Value& value, std::string_view method, std::string_view first,
            std::vector<rb_object>* objects = nullptr, rb_instance instance = 0) {
  try {
    Writer<NoSteps> writer(output, objects, instance);
    Codec<Value>::write(writer, value);
  } catch (const Wrong& wrong) {
    detail::refuse_request(wrong, value, method, first, objects, instance);
  }
}

/// Reads a message. `Error` with `internal` names the field at which it doesn't match its type, below `first`.
template <class Value>
Value decode(BytesView message, std::string_view method, std::string_view first, std::span<Object> objects = {},
             const Context* context = nullptr) {
  try {
    Reader<NoSteps> reader(message, objects, context);
    Value value{};
    Codec<Value>::read(reader, value);
    reader.end();
    return value;
  } catch (const Wrong& wrong) {
    detail::refuse_answer<Value>(wrong, message, method, first, objects);
  }
}

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_HPP

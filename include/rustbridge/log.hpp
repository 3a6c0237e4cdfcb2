/* Part of rustbridge.hpp. Log records, and who takes them. */
#ifndef RUSTBRIDGE_LOG_HPP
#define RUSTBRIDGE_LOG_HPP

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "codes.hpp"

namespace rustbridge {

/// One log record. All of it is borrowed until the sink returns.
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
  /// Time of the event, or of the span's end.
  std::chrono::sys_time<std::chrono::nanoseconds> time{};
  std::chrono::nanoseconds duration{};
  /// The trace ID; all zero without a trace.
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

/// A function that receives log records: one at a time, in order, on a thread of the library. A slow sink loses records but never delays calls.
using LogSink = std::function<void(const LogRecord&)>;

namespace detail {

/// Returns a sink for C. The library owns its `user_data` from the call on to which it's passed.
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
        // There is no one to report to, and an unwritable log mustn't end the process.
      }
    };
    native.drop = [](void* user_data) noexcept { delete static_cast<LogSink*>(user_data); };
    native.user_data = new LogSink(std::move(sink));
  }
  return native;
}

}  // namespace detail

}  // namespace rustbridge

#endif  // RUSTBRIDGE_LOG_HPP

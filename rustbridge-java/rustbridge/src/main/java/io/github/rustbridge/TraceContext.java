package io.github.rustbridge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The trace that a call is part of, as in W3C's Trace Context.
 *
 * <p>If the options set no trace, the call uses OpenTelemetry's current span, provided that its API
 * is on the class path and there is a current span.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all zero
 * @param spanId the ID of the caller's span: 16 hexadecimal digits in lower case, not all zero
 * @param flags the trace flags; bit 0 means sampled
 * @param state the {@code tracestate}, or empty
 */
public record TraceContext(String traceId, String spanId, int flags, String state) {
  private static final Pattern TRACEPARENT =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  /**
   * Creates a trace context.
   *
   * @throws IllegalArgumentException if an ID doesn't have the required digits
   */
  public TraceContext {
    Objects.requireNonNull(state, "state");
    checkId("a trace id", traceId, 32);
    checkId("a span id", spanId, 16);
  }

  private static void checkId(String what, String id, int digits) {
    if (id.length() != digits || !id.chars().allMatch(TraceContext::isDigit)) {
      throw new IllegalArgumentException(
          what + " must be " + digits + " hexadecimal digits in lower case, not `" + id + "`");
    }
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9' || character >= 'a' && character <= 'f';
  }

  /**
   * Parses the header {@code traceparent}.
   *
   * @param traceparent e.g. {@code 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01}
   * @return the trace context, without a state
   * @throws IllegalArgumentException if the text isn't a valid {@code traceparent}
   */
  public static TraceContext parse(String traceparent) {
    return parse(traceparent, "");
  }

  /**
   * Parses the headers {@code traceparent} and {@code tracestate}.
   *
   * @param traceparent the header {@code traceparent}
   * @param tracestate the header {@code tracestate}, or empty
   * @return the trace context
   * @throws IllegalArgumentException if the text isn't a valid {@code traceparent}
   */
  public static TraceContext parse(String traceparent, String tracestate) {
    var found = TRACEPARENT.matcher(traceparent);
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "`"
              + traceparent
              + "` isn't a traceparent: expected 00-, 32 hexadecimal digits, -, 16 digits, -, 2"
              + " digits");
    }
    int flags = Integer.parseInt(found.group(4), 16);
    return new TraceContext(found.group(2), found.group(3), flags, tracestate);
  }

  /**
   * Returns the header {@code traceparent}.
   *
   * @return the text
   */
  public String traceparent() {
    return "00-" + traceId + "-" + spanId + "-" + HexFormat.of().toHexDigits((byte) flags);
  }

  /** As the boundary has it: 16 bytes, 8 bytes, and the flags as a number. */
  byte[] packed() {
    ByteBuffer packed = ByteBuffer.allocate(28).order(ByteOrder.nativeOrder());
    packed.put(HexFormat.of().parseHex(traceId)).put(HexFormat.of().parseHex(spanId));
    return packed.putInt(flags).array();
  }

  /** The other way. */
  static TraceContext unpacked(byte[] bytes, String state) {
    return new TraceContext(
        HexFormat.of().formatHex(bytes, 0, 16),
        HexFormat.of().formatHex(bytes, 16, 24),
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(24),
        state);
  }
}

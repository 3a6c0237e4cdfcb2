package io.github.rustbridge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;

/**
 * The current span of OpenTelemetry's API, if it's on the class path. The API is found by
 * reflection, so it isn't a dependency.
 */
final class Telemetry {
  private static final String API = "io.opentelemetry.api.trace.";

  /** From nothing to the current span's context; null without the API. */
  private static final MethodHandle CURRENT = find("Span", "getSpanContext", "SpanContext");

  private static final MethodHandle IS_VALID = find("isValid", boolean.class);
  private static final MethodHandle TRACE_ID = find("getTraceId", String.class);
  private static final MethodHandle SPAN_ID = find("getSpanId", String.class);
  private static final MethodHandle FLAGS = flags();
  private static final MethodHandle STATE = state();

  private Telemetry() {}

  /** The current context, or null. */
  static TraceContext current() {
    if (CURRENT == null) {
      return null;
    }
    try {
      Object context = (Object) CURRENT.invokeExact();
      if (!(boolean) IS_VALID.invokeExact(context)) {
        return null;
      }
      return new TraceContext(
          (String) TRACE_ID.invokeExact(context),
          (String) SPAN_ID.invokeExact(context),
          (byte) FLAGS.invokeExact(context) & 0xff,
          text((Map<?, ?>) STATE.invokeExact(context)));
    } catch (Throwable broken) {
      // Another version's, or an application's own: no call fails for that.
      return null;
    }
  }

  private static String text(Map<?, ?> state) {
    StringBuilder text = new StringBuilder();
    state.forEach((key, value) ->
        text.append(text.isEmpty() ? "" : ",").append(key).append('=').append(value));
    return text.toString();
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(API + name, false, Telemetry.class.getClassLoader());
  }

  private static MethodHandle find(String owner, String getter, String result) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Class<?> span = type(owner);
      MethodHandle current = lookup.findStatic(span, "current", MethodType.methodType(span));
      MethodHandle context = lookup.findVirtual(span, getter, MethodType.methodType(type(result)));
      return MethodHandles.filterReturnValue(current, context)
          .asType(MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException | LinkageError absent) {
      return null;
    }
  }

  private static MethodHandle find(String getter, Class<?> result) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(type("SpanContext"), getter, MethodType.methodType(result))
          .asType(MethodType.methodType(result, Object.class));
    } catch (ReflectiveOperationException | LinkageError absent) {
      return null;
    }
  }

  private static MethodHandle flags() {
    return chained("getTraceFlags", "TraceFlags", "asByte", byte.class);
  }

  private static MethodHandle state() {
    return chained("getTraceState", "TraceState", "asMap", Map.class);
  }

  private static MethodHandle chained(String getter, String type, String next, Class<?> result) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Class<?> middle = type(type);
      MethodHandle first =
          lookup.findVirtual(type("SpanContext"), getter, MethodType.methodType(middle));
      MethodHandle second = lookup.findVirtual(middle, next, MethodType.methodType(result));
      return MethodHandles.filterReturnValue(first, second)
          .asType(MethodType.methodType(result, Object.class));
    } catch (ReflectiveOperationException | LinkageError absent) {
      return null;
    }
  }
}

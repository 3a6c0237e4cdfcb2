package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A call, or another operation on a plugin, has failed. The message is the one that the plugin
 * gave.
 *
 * <p>It's unchecked: whether a failure can be dealt with depends on its {@link #status()}, not on
 * its class.
 *
 * <p>Where failures are answers like others, {@code -Drustbridge.stackTraces=false} leaves out
 * their stack traces.
 */
public class PluginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whether exceptions know where they were made. */
  private static final boolean HAS_STACK_TRACE =
      !"false".equals(System.getProperty("rustbridge.stackTraces"));

  /** What a payload in the wire form begins with. */
  private static final int TYPED = 1;

  /** The status. */
  private final Status status;

  /** The name of the plugin's error type, or of ours. */
  private final String type;

  /**
   * What the error carries besides; values are those of JSON. Maps in general can't be serialized,
   * so it's written by hand.
   */
  private transient Map<String, Object> details;

  /** The Rust backtrace, or null. */
  private final String backtrace;

  /** The error itself, in the wire form, for clients that know its type; or null. */
  private final transient byte[] value;

  /** The headers as the boundary has them; null once it was serialized. */
  private transient byte[] headers = Answer.NO_BYTES;

  /** The trailers likewise. */
  private transient byte[] trailers = Answer.NO_BYTES;

  /**
   * Makes one.
   *
   * @param status how the call ended
   * @param type the name of the error's type in the plugin, e.g. {@code MathError.Overflow}
   * @param message what went wrong
   * @param details what the error carries besides, as values of JSON: Map, List, String, Long,
   *     BigInteger, Double, Boolean, null
   * @param backtrace the Rust backtrace of a panic, or null
   */
  public PluginException(
      Status status, String type, String message, Map<String, Object> details, String backtrace) {
    this(status, type, message, copy(details), backtrace, null);
  }

  private PluginException(
      Status status,
      String type,
      String message,
      Map<String, Object> details,
      String backtrace,
      byte[] value) {
    super(message);
    this.status = Objects.requireNonNull(status, "status");
    this.type = Objects.requireNonNull(type, "type");
    this.details = details;
    this.backtrace = backtrace;
    this.value = value;
  }

  /**
   * For the exceptions that {@code rustbridge gen} writes, which carry a value: makes one that says
   * what another does.
   *
   * @param failed the other
   */
  protected PluginException(PluginException failed) {
    this(failed.status, failed.type, failed.getMessage(), failed.details, failed.backtrace, null);
    headers = failed.headers;
    trailers = failed.trailers;
  }

  /** The exception of a call that has said headers or trailers before it failed. */
  static PluginException of(int status, byte[] payload, byte[] headers, byte[] trailers) {
    PluginException failed = of(status, payload);
    failed.headers = headers;
    failed.trailers = trailers;
    return failed;
  }

  /**
   * For the backends: makes the exception of a failed call.
   *
   * @param status the status, a number of the host ABI
   * @param payload the error payload: one JSON object in UTF-8, an error with a type in the wire
   *     form, or empty; one that is something else still reaches the user, as the message
   * @return the exception, to be thrown
   */
  public static PluginException of(int status, byte[] payload) {
    Status known = Status.of(status);
    if (payload.length == 0) {
      return new PluginException(
          known, "", "the call ended with the status " + known + " and no message", Map.of(), null);
    }
    if (payload[0] == TYPED) {
      PluginException typed = typed(known, payload);
      if (typed != null) {
        return typed;
      }
    }
    String text = new String(payload, StandardCharsets.UTF_8);
    if (!(Json.tryParse(text) instanceof Map<?, ?> error)) {
      return new PluginException(known, "", text, Map.of(), null);
    }
    Object details = error.get("details");
    return new PluginException(
        known,
        error.get("type") instanceof String type ? type : "",
        error.get("message") instanceof String message ? message : text,
        details == null || details instanceof Map
            ? Json.object(details)
            : Map.of("details", details),
        error.get("backtrace") instanceof String backtrace ? backtrace : null);
  }

  /** An error with a type; null if the payload isn't one after all. */
  private static PluginException typed(Status status, byte[] payload) {
    ByteBuffer in = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    try {
      if (in.getInt() != TYPED) {
        return null;
      }
      in.getInt(); // The status, which came beside it.
      String message = text(in);
      String type = text(in);
      int start = Math.min((in.position() + 7) & ~7, payload.length);
      byte[] value = Arrays.copyOfRange(payload, start, payload.length);
      return new PluginException(status, type, message, Map.of(), null, value);
    } catch (BufferUnderflowException truncated) {
      return null;
    }
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[length];
    in.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /**
   * Notes where it was made, unless {@code -Drustbridge.stackTraces=false} says not to.
   *
   * @return this
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return HAS_STACK_TRACE ? super.fillInStackTrace() : this;
  }

  /** The error itself in the wire form; null if it came without. */
  byte[] value() {
    return value;
  }

  /**
   * Tells how the call ended.
   *
   * @return the status, never {@link Status#OK}
   */
  public Status status() {
    return status;
  }

  /**
   * Names the error's type in the plugin.
   *
   * @return the type, e.g. {@code MathError.Overflow}, or {@code panic}; empty if the plugin names
   *     none
   */
  public String type() {
    return type;
  }

  /**
   * Gives what the error carries besides its message.
   *
   * @return values of JSON by name, unmodifiable; empty if there are none
   */
  public Map<String, Object> details() {
    return details;
  }

  /**
   * Gives the headers that the plugin has said before the call failed, if {@link
   * CallOptions#withHeaders()} asked for them.
   *
   * @return the headers; empty if there are none, or if the exception was serialized
   */
  public Metadata headers() {
    return headers == null ? Metadata.empty() : Metadata.unpacked(headers);
  }

  /**
   * Gives the trailers: metadata that the plugin has added to the error. They come with a call that
   * was to be read as a {@link Reply}, or whose options say anything; a bare one asks for none.
   *
   * @return the trailers; empty if there are none, or if the exception was serialized
   */
  public Metadata trailers() {
    return trailers == null ? Metadata.empty() : Metadata.unpacked(trailers);
  }

  /**
   * Gives the Rust backtrace of a panic, if {@link PluginConfig#backtraces()} asked for it.
   *
   * @return the backtrace as Rust prints it
   */
  public Optional<String> backtrace() {
    return Optional.ofNullable(backtrace);
  }

  /** Gives class, status, type and message on one line. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // The message stays Rust's alone.
  public String toString() {
    String kind = type.isEmpty() ? status.name() : status.name() + " (" + type + ")";
    return getClass().getName() + ": " + kind + ": " + getMessage();
  }

  /** Copies deeply into what can be serialized, and what nobody can change. */
  private static Map<String, Object> copy(Map<?, ?> map) {
    if (map.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> members = new LinkedHashMap<>();
    map.forEach((name, value) -> members.put(String.valueOf(name), copyOf(value)));
    return Collections.unmodifiableMap(members);
  }

  private static Object copyOf(Object value) {
    if (value instanceof Map<?, ?> map) {
      return copy(map);
    }
    if (value instanceof List<?> list) {
      List<Object> elements = new ArrayList<>(list.size());
      list.forEach(element -> elements.add(copyOf(element)));
      return Collections.unmodifiableList(elements);
    }
    boolean plain =
        value == null
            || value instanceof String
            || value instanceof Number && value instanceof Serializable
            || value instanceof Boolean;
    return plain ? value : String.valueOf(value);
  }

  /**
   * Writes what is serializable as it is, then the details.
   *
   * @param out where to
   * @throws IOException if that fails
   * @serialData the details, a map of plain values
   */
  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeObject(details);
  }

  /**
   * Reads what the other one wrote, and copies the details, which come from anywhere.
   *
   * @param in where from
   * @throws IOException if that fails
   * @throws ClassNotFoundException if a class of the details isn't here
   */
  @Serial
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    details = copy((Map<?, ?>) in.readObject());
  }
}

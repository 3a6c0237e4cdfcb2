package io.github.rustbridge;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
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
 * <p>What it says is read when somebody asks for it, so catching one for its status costs no more
 * than throwing it; what shows exceptions without asking them, as Flight Recorder does, shows no
 * message. Where failures are answers like others, {@code -Drustbridge.stackTraces=false} leaves
 * out their stack traces.
 *
 * <p>Where the plugin has failed with what a service of the application threw, or the source of
 * items that were sent, that is the {@linkplain #getCause() cause}.
 */
public class PluginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whether exceptions know where they were made. */
  private static final boolean HAS_STACK_TRACE =
      !"false".equals(System.getProperty("rustbridge.stackTraces"));

  /** The status. */
  private final Status status;

  /** What the payload says; null until somebody asks, unless it was made of it. */
  private transient volatile Said said;

  /** What hasn't been read yet, without the value; null if {@link #said} is there. */
  private transient byte[] payload;

  /** The error itself, in the wire form, for clients that know its type; or null. */
  private final transient byte[] value;

  /** The type of {@link #value} in an exception of its own class; or null. */
  private final transient TypedError<?> typed;

  /** The details, once they were read from {@link #value}. */
  private transient volatile Map<String, Object> fields;

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
    super(message);
    this.status = Objects.requireNonNull(status, "status");
    said = new Said(Objects.requireNonNull(type, "type"), message, copy(details), backtrace);
    value = null;
    typed = null;
  }

  /**
   * Makes one that says nothing but what went wrong, as a service throws it. There is a method for
   * each status as well: {@code PluginException.notFound("no rate for EUR")}.
   *
   * @param status how the call ended
   * @param message what went wrong
   */
  public PluginException(Status status, String message) {
    this(status, "", message, Map.of(), null);
  }

  private PluginException(Status status, byte[] payload) {
    this.status = status;
    int at = Said.valueAt(payload);
    // Apart, so that what reads the value counts from its own start.
    this.payload = at < 0 ? payload : Arrays.copyOf(payload, at);
    value = at < 0 ? null : Arrays.copyOfRange(payload, at, payload.length);
    typed = null;
    Throwable cause = Causes.take(payload);
    if (cause != null) {
      initCause(cause);
    }
  }

  /**
   * Creates an exception of its own class from the exception of a failed call, for the exceptions
   * that {@code rustbridge gen} writes.
   *
   * @param failed the exception of the call
   * @param typed the error's type; null for none
   */
  @SuppressWarnings("this-escape") // Throwable's own method, and no subclass here overrides it.
  protected PluginException(PluginException failed, TypedError<?> typed) {
    status = failed.status;
    synchronized (failed) {
      said = failed.said;
      payload = failed.payload;
    }
    if (failed.getCause() != null) {
      initCause(failed.getCause());
    }
    this.typed = typed;
    value = typed == null ? null : failed.value;
    headers = failed.headers;
    trailers = failed.trailers;
  }

  /**
   * Creates an exception of its own class from an error, for the exceptions that {@code rustbridge
   * gen} writes: fakes throw them in place of the plugin.
   *
   * @param message the message; the plugin makes it of the error
   * @param typed the error's type, which has its status
   * @param error the error
   * @param <E> the error's type
   * @throws io.github.rustbridge.wire.EncodeException if the error isn't of its type
   */
  protected <E> PluginException(String message, TypedError<E> typed, E error) {
    super(message);
    value = typed.encode(error);
    this.typed = typed;
    status = typed.statusOf(value);
    said = new Said(typed.typeOf(value), message, Map.of(), null);
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
   *     form, or empty; one that is something else still reaches the user, as the message. It's
   *     kept, and read when somebody asks what it says
   * @return the exception, to be thrown
   */
  public static PluginException of(int status, byte[] payload) {
    return new PluginException(Status.of(status), payload);
  }

  /**
   * Makes one with {@link Status#CANCELLED}: it was cancelled.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException cancelled(String message) {
    return new PluginException(Status.CANCELLED, message);
  }

  /**
   * Makes one with {@link Status#UNKNOWN}: the reason is unknown.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException unknown(String message) {
    return new PluginException(Status.UNKNOWN, message);
  }

  /**
   * Makes one with {@link Status#INVALID_ARGUMENT}: the request is wrong, whatever state its
   * receiver is in.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException invalidArgument(String message) {
    return new PluginException(Status.INVALID_ARGUMENT, message);
  }

  /**
   * Makes one with {@link Status#DEADLINE_EXCEEDED}: it took longer than it was allowed to.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException deadlineExceeded(String message) {
    return new PluginException(Status.DEADLINE_EXCEEDED, message);
  }

  /**
   * Makes one with {@link Status#NOT_FOUND}: what was asked for doesn't exist.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException notFound(String message) {
    return new PluginException(Status.NOT_FOUND, message);
  }

  /**
   * Makes one with {@link Status#ALREADY_EXISTS}: what was to be made exists already.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException alreadyExists(String message) {
    return new PluginException(Status.ALREADY_EXISTS, message);
  }

  /**
   * Makes one with {@link Status#PERMISSION_DENIED}: the caller may not.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException permissionDenied(String message) {
    return new PluginException(Status.PERMISSION_DENIED, message);
  }

  /**
   * Makes one with {@link Status#RESOURCE_EXHAUSTED}: something has run out.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException resourceExhausted(String message) {
    return new PluginException(Status.RESOURCE_EXHAUSTED, message);
  }

  /**
   * Makes one with {@link Status#FAILED_PRECONDITION}: the state doesn't allow it.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException failedPrecondition(String message) {
    return new PluginException(Status.FAILED_PRECONDITION, message);
  }

  /**
   * Makes one with {@link Status#ABORTED}: it lost against something at the same time.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException aborted(String message) {
    return new PluginException(Status.ABORTED, message);
  }

  /**
   * Makes one with {@link Status#OUT_OF_RANGE}: a value is beyond what's valid.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException outOfRange(String message) {
    return new PluginException(Status.OUT_OF_RANGE, message);
  }

  /**
   * Makes one with {@link Status#UNIMPLEMENTED}: there is no such thing to do.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException unimplemented(String message) {
    return new PluginException(Status.UNIMPLEMENTED, message);
  }

  /**
   * Makes one with {@link Status#INTERNAL}: a defect.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException internal(String message) {
    return new PluginException(Status.INTERNAL, message);
  }

  /**
   * Makes one with {@link Status#UNAVAILABLE}: it isn't there at the moment.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException unavailable(String message) {
    return new PluginException(Status.UNAVAILABLE, message);
  }

  /**
   * Makes one with {@link Status#DATA_LOSS}: data is lost or damaged.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException dataLoss(String message) {
    return new PluginException(Status.DATA_LOSS, message);
  }

  /**
   * Makes one with {@link Status#UNAUTHENTICATED}: the caller hasn't said who it is.
   *
   * @param message what went wrong
   * @return the exception, to be thrown
   */
  public static PluginException unauthenticated(String message) {
    return new PluginException(Status.UNAUTHENTICATED, message);
  }

  /** What the payload says. Most who catch an exception ask for its status and no more. */
  private Said said() {
    Said known = said;
    return known != null ? known : read();
  }

  private synchronized Said read() {
    if (said == null) {
      if (payload == null) {
        // Not kept: somebody asks while this is being made, as what notes where that was can.
        return new Said("", super.getMessage(), Map.of(), null);
      }
      said = Said.of(status, payload);
      payload = null;
    }
    return said;
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

  /** Gives what the plugin says went wrong. */
  @Override
  public String getMessage() {
    return said().message();
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
    return said().type();
  }

  /**
   * Gives what the error carries besides its message.
   *
   * @return values of JSON by name, unmodifiable; empty if there are none
   */
  public Map<String, Object> details() {
    if (typed == null || value == null) {
      return said().details();
    }
    Map<String, Object> known = fields;
    if (known == null) {
      known = copy(typed.detailsOf(value));
      fields = known;
    }
    return known;
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
    return Optional.ofNullable(said().backtrace());
  }

  /** Gives class, status, type and message on one line. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // The message stays Rust's alone.
  public String toString() {
    if (status == null) {
      // Asked for while this is being made.
      return super.toString();
    }
    String type = type();
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
   * Writes the status, then what the payload says.
   *
   * @param out where to
   * @throws IOException if that fails
   * @serialData type, message, details, a map of plain values, and backtrace
   */
  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    Said written = said();
    out.defaultWriteObject();
    out.writeObject(written.type());
    out.writeObject(written.message());
    out.writeObject(details());
    out.writeObject(written.backtrace());
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
    String type = (String) in.readObject();
    String message = (String) in.readObject();
    Map<String, Object> details = copy((Map<?, ?>) in.readObject());
    said = new Said(type, message, details, (String) in.readObject());
  }
}

package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
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
 * The failure of a call or of another function of rustbridge. The message is the plugin's own.
 *
 * <p>It's unchecked, because its {@link #status()} decides whether a program can handle it, not its
 * class.
 *
 * <p>The error payload is decoded when it's first needed, so catching an exception for its status
 * costs no more than throwing it. Tools that record exceptions without calling their methods, such
 * as Flight Recorder, show no message. If failures are ordinary results, {@code
 * -Drustbridge.stackTraces=false} omits the stack traces.
 *
 * <p>If an exception of the application made the plugin fail, it's the {@linkplain #getCause()
 * cause}: an exception that a service or the source of sent items threw.
 */
public class PluginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whether exceptions know where they were made. */
  private static final boolean HAS_STACK_TRACE =
      !"false".equals(System.getProperty("rustbridge.stackTraces"));

  /** The status. */
  private final Status status;

  /** What the payload says; null until somebody asks, unless it was made of it. */
  private transient volatile ErrorPayload said;

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
   * Creates an exception.
   *
   * @param status the status of the call
   * @param type the name of the error type in the plugin, e.g. {@code MathError.Overflow}
   * @param message describes the failure
   * @param details the error's further data, as JSON values: Map, List, String, Long, BigInteger,
   *     Double, Boolean, null
   * @param backtrace the Rust backtrace of a panic, or null
   */
  public PluginException(
      Status status, String type, String message, Map<String, Object> details, String backtrace) {
    super(message);
    this.status = Objects.requireNonNull(status, "status");
    said =
        new ErrorPayload(Objects.requireNonNull(type, "type"), message, copy(details), backtrace);
    value = null;
    typed = null;
  }

  /**
   * Creates an exception with a status and a message, for a service to throw. There is a method for
   * each status as well: {@code PluginException.notFound("no rate for EUR")}.
   *
   * @param status the status of the call
   * @param message describes the failure
   */
  public PluginException(Status status, String message) {
    this(status, "", message, Map.of(), null);
  }

  private PluginException(Status status, byte[] payload) {
    this.status = status;
    int at = ErrorPayload.valueAt(payload);
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
   * Creates an exception of a subclass from the exception of a failed call. For the exceptions that
   * {@code rustbridge gen} writes.
   *
   * @param failed the exception of the failed call
   * @param typed the error's type, or null
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
   * Creates an exception of a subclass from an error value. For the exceptions that {@code
   * rustbridge gen} writes, so that fakes can throw them in place of the plugin.
   *
   * @param message the message, which the plugin would derive from the error
   * @param typed the error's type, which contains its status
   * @param error the error value
   * @param <E> the error's type
   * @throws io.github.rustbridge.wire.EncodeException if the error value doesn't fit its type
   */
  protected <E> PluginException(String message, TypedError<E> typed, E error) {
    super(message);
    value = typed.encode(error);
    this.typed = typed;
    status = typed.statusOf(value);
    said = new ErrorPayload(typed.typeOf(value), message, Map.of(), null);
  }

  /**
   * Returns the payload of the error in the wire format, for a plugin whose service distinguishes
   * errors of this type; null if this is no error of the type.
   */
  byte[] payloadAs(String clientSchema, int number) {
    if (typed == null || value == null || !typed.is(clientSchema, number)) {
      return null;
    }
    String message = getMessage();
    return ErrorPayload.ofValue(message == null ? "" : message, value);
  }

  /** The exception of a call that has said headers or trailers before it failed. */
  static PluginException of(int status, byte[] payload, byte[] headers, byte[] trailers) {
    PluginException failed = of(status, payload);
    failed.headers = headers;
    failed.trailers = trailers;
    return failed;
  }

  /**
   * Creates the exception of a failed call. For backends only.
   *
   * @param status the status, as a number of the host ABI
   * @param payload the error payload: one JSON object in UTF-8, a typed error in the wire format,
   *     or empty. Any other payload becomes the message. The array is kept, and decoded when it's
   *     first needed
   * @return the exception, for the caller to throw
   */
  public static PluginException of(int status, byte[] payload) {
    return new PluginException(Status.of(status), payload);
  }

  /**
   * Creates an exception with {@link Status#CANCELLED}: the call was cancelled.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException cancelled(String message) {
    return new PluginException(Status.CANCELLED, message);
  }

  /**
   * Creates an exception with {@link Status#UNKNOWN}: the reason is unknown.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException unknown(String message) {
    return new PluginException(Status.UNKNOWN, message);
  }

  /**
   * Creates an exception with {@link Status#INVALID_ARGUMENT}: the request is invalid,
   * independently of the service's state.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException invalidArgument(String message) {
    return new PluginException(Status.INVALID_ARGUMENT, message);
  }

  /**
   * Creates an exception with {@link Status#DEADLINE_EXCEEDED}: the deadline has passed.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException deadlineExceeded(String message) {
    return new PluginException(Status.DEADLINE_EXCEEDED, message);
  }

  /**
   * Creates an exception with {@link Status#NOT_FOUND}: the requested thing doesn't exist.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException notFound(String message) {
    return new PluginException(Status.NOT_FOUND, message);
  }

  /**
   * Creates an exception with {@link Status#ALREADY_EXISTS}: the thing to create exists already.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException alreadyExists(String message) {
    return new PluginException(Status.ALREADY_EXISTS, message);
  }

  /**
   * Creates an exception with {@link Status#PERMISSION_DENIED}: the caller isn't permitted to do
   * this.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException permissionDenied(String message) {
    return new PluginException(Status.PERMISSION_DENIED, message);
  }

  /**
   * Creates an exception with {@link Status#RESOURCE_EXHAUSTED}: a resource or quota is exhausted.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException resourceExhausted(String message) {
    return new PluginException(Status.RESOURCE_EXHAUSTED, message);
  }

  /**
   * Creates an exception with {@link Status#FAILED_PRECONDITION}: the current state doesn't allow
   * this call.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException failedPrecondition(String message) {
    return new PluginException(Status.FAILED_PRECONDITION, message);
  }

  /**
   * Creates an exception with {@link Status#ABORTED}: a concurrent change interfered.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException aborted(String message) {
    return new PluginException(Status.ABORTED, message);
  }

  /**
   * Creates an exception with {@link Status#OUT_OF_RANGE}: a value is outside the valid range.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException outOfRange(String message) {
    return new PluginException(Status.OUT_OF_RANGE, message);
  }

  /**
   * Creates an exception with {@link Status#UNIMPLEMENTED}: the requested function isn't
   * implemented.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException unimplemented(String message) {
    return new PluginException(Status.UNIMPLEMENTED, message);
  }

  /**
   * Creates an exception with {@link Status#INTERNAL}: an internal error, which is a defect.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException internal(String message) {
    return new PluginException(Status.INTERNAL, message);
  }

  /**
   * Creates an exception with {@link Status#UNAVAILABLE}: the service is temporarily unavailable.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException unavailable(String message) {
    return new PluginException(Status.UNAVAILABLE, message);
  }

  /**
   * Creates an exception with {@link Status#DATA_LOSS}: data is lost or damaged.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException dataLoss(String message) {
    return new PluginException(Status.DATA_LOSS, message);
  }

  /**
   * Creates an exception with {@link Status#UNAUTHENTICATED}: the caller isn't authenticated.
   *
   * @param message describes the failure
   * @return the exception, for the caller to throw
   */
  public static PluginException unauthenticated(String message) {
    return new PluginException(Status.UNAUTHENTICATED, message);
  }

  /** What the payload says. Most who catch an exception ask for its status and no more. */
  private ErrorPayload said() {
    ErrorPayload known = said;
    return known != null ? known : read();
  }

  private synchronized ErrorPayload read() {
    if (said == null) {
      if (payload == null) {
        // Not kept: somebody asks while this is being made, as what notes where that was can.
        return new ErrorPayload("", super.getMessage(), Map.of(), null);
      }
      said = ErrorPayload.of(status, payload);
      payload = null;
    }
    return said;
  }

  /**
   * Records the stack trace, unless the system property {@code rustbridge.stackTraces} is {@code
   * false}.
   *
   * @return this exception
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return HAS_STACK_TRACE ? super.fillInStackTrace() : this;
  }

  /** Returns the plugin's message. */
  @Override
  public String getMessage() {
    return said().message();
  }

  /** The error itself in the wire form; null if it came without. */
  byte[] value() {
    return value;
  }

  /**
   * Returns the status of the call.
   *
   * @return the status; never {@link Status#OK}
   */
  public Status status() {
    return status;
  }

  /**
   * Returns the name of the error type in the plugin.
   *
   * @return the type, e.g. {@code MathError.Overflow}, or {@code panic}; empty if the error has no
   *     type
   */
  public String type() {
    return said().type();
  }

  /**
   * Returns the error's data other than its message.
   *
   * @return JSON values by name, unmodifiable; empty if there are none
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
   * Returns the initial metadata that the plugin sent before the call failed, if {@link
   * CallOptions#withHeaders()} requested it.
   *
   * @return the metadata; empty if there is none, or if the exception was serialized
   */
  public Metadata headers() {
    return headers == null ? Metadata.empty() : Metadata.unpacked(headers);
  }

  /**
   * Returns the trailing metadata, which the plugin sends with the error. It's available if the
   * call returns a {@link Reply} or has call options with any data. A call without either doesn't
   * request it.
   *
   * @return the metadata; empty if there is none, or if the exception was serialized
   */
  public Metadata trailers() {
    return trailers == null ? Metadata.empty() : Metadata.unpacked(trailers);
  }

  /**
   * Returns the Rust backtrace of a panic, if {@link PluginConfig#backtraces()} requested it.
   *
   * @return the backtrace as Rust prints it
   */
  public Optional<String> backtrace() {
    return Optional.ofNullable(said().backtrace());
  }

  /** Returns the class, status, type and message on one line. */
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
   * Writes the status, and then the payload's data.
   *
   * @param out the stream to write to
   * @throws IOException if that fails
   * @serialData type, message, details, a map of plain values, and backtrace
   */
  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    ErrorPayload written = said();
    out.defaultWriteObject();
    out.writeObject(written.type());
    out.writeObject(written.message());
    out.writeObject(details());
    out.writeObject(written.backtrace());
  }

  /**
   * Reads the serialized exception, and copies the details, which may come from an untrusted
   * source.
   *
   * @param in the stream to read from
   * @throws IOException if that fails
   * @throws ClassNotFoundException if a class of the details isn't here
   */
  @Serial
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    String type = (String) in.readObject();
    String message = (String) in.readObject();
    Map<String, Object> details = copy((Map<?, ?>) in.readObject());
    said = new ErrorPayload(type, message, details, (String) in.readObject());
  }
}

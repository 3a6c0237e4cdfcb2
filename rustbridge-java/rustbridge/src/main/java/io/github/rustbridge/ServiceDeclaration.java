package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.services.ServiceFunction;
import io.github.rustbridge.services.ServiceHandler;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.EncodeException;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A service that was declared and isn't registered yet: codec and library are known when a plugin
 * is loaded.
 *
 * @param name the name by which the plugin calls it
 * @param encoding the encoding of request and response
 * @param callback the name of the callback whose objects it releases; null for other services
 * @param maker creates the function
 */
record ServiceDeclaration(String name, Encoding encoding, String callback, Maker maker) {
  private ServiceDeclaration(String name, Encoding encoding, Function<JsonCodec, Body> body) {
    this(name, encoding, null, (codec, objects) -> body.apply(codec));
  }

  LoadRequest.Service registered(
      Natives natives, JsonCodec codec, Logging logging, Contexts contexts, HostObjects objects) {
    ServiceFunction function = maker.make(codec, objects);
    ServiceHandler handler =
        new ServiceHandler(
            natives, name, function, logging::failed, contexts, PluginFailures.INSTANCE);
    int flags = callback == null ? 0 : LoadRequest.SHORT;
    return new LoadRequest.Service(Text.encode(name), encoding.number(), flags, handler);
  }

  /** Creates the function of a service, when a plugin is loaded. */
  interface Maker {
    /**
     * Creates a function.
     *
     * @param codec the codec that is configured, or null
     * @param objects the host's objects that the instance refers to; null without callbacks
     */
    ServiceFunction make(JsonCodec codec, HostObjects objects);
  }

  /** A function of the API, which receives the call. */
  interface Body extends ServiceFunction {
    Object answer(byte[] request, ServiceCall call) throws Exception;

    @Override
    default Object answer(
        byte[] request, long timeoutNanos, byte[] trace, byte[] state, byte[] metadata)
        throws Exception {
      ServiceCall call = new ServiceCall(timeoutNanos, trace, state, metadata);
      ServiceCall.Scope scope = call.makeCurrent();
      try {
        return answer(request, call);
      } finally {
        scope.close();
      }
    }
  }

  /** A function with the types of a typed client. */
  interface TypedFunction<Q, A> {
    CompletionStage<A> answer(Q request) throws Exception;
  }

  /** A function of a callback with the types of a typed client. */
  interface CallbackFunction<T, Q, A> {
    CompletionStage<A> answer(T object, Q request) throws Exception;
  }

  private record Async(AsyncService service) implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      return service.answer(request, call);
    }

    @Override
    public byte[] write(Object answer) {
      return (byte[]) answer;
    }
  }

  private record Raw(RawService service) implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      return service.answer(request, call);
    }

    @Override
    public byte[] write(Object answer) {
      return (byte[]) answer;
    }
  }

  private record Json(JsonCodec codec, Type type, JsonService<Object, ?> service) implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      Object value;
      try {
        value = type == null ? null : codec.decode(request, type);
      } catch (RuntimeException unreadable) {
        throw unreadable(unreadable);
      }
      return service.answer(value, call);
    }

    @Override
    public byte[] write(Object answer) {
      return codec.encode(answer);
    }
  }

  /** A service with the types of a typed client. */
  private record Typed<Q, A>(
      String name,
      Decode<Q> decode,
      Encode<A> encode,
      ServiceErrors errors,
      TypedFunction<Q, A> function)
      implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      Q value;
      try {
        value = new WireReader().read(request, request.length, decode);
      } catch (DecodeException malformed) {
        throw unreadable(malformed);
      }
      return Objects.requireNonNull(
          function.answer(value), () -> name + ": returned null, expected a stage");
    }

    @Override
    @SuppressWarnings("unchecked") // The value of the function's stage.
    public byte[] write(Object answer) {
      WireWriter out = new WireWriter();
      encoded(out, name, (A) answer, encode);
      return out.toByteArray();
    }

    @Override
    public byte[] typedPayload(Throwable thrown) {
      return errors.payload(name, thrown);
    }
  }

  /**
   * Writes the result of a function of the host, whose name is in the exception if it doesn't fit.
   */
  static <A> void encoded(WireWriter out, String name, A result, Encode<A> encode) {
    try {
      encode.write(out, result);
    } catch (EncodeException unfit) {
      throw new EncodeException(name + ": " + unfit.getMessage());
    } catch (NullPointerException missing) {
      throw new EncodeException(
          name + ": the response contains null where a value is required: " + missing.getMessage());
    }
  }

  private static PluginException unreadable(RuntimeException why) {
    return new PluginException(
        Status.INVALID_ARGUMENT,
        "rustbridge.InvalidRequest",
        "the request doesn't match the service's type: " + why.getMessage(),
        Map.of(),
        null);
  }

  static ServiceDeclaration raw(String name, Encoding encoding, RawService service) {
    return new ServiceDeclaration(name, encoding, codec -> new Raw(service));
  }

  static ServiceDeclaration later(String name, Encoding encoding, AsyncService service) {
    return new ServiceDeclaration(name, encoding, codec -> new Async(service));
  }

  static ServiceDeclaration json(String name, Type type, JsonService<Object, ?> service) {
    return new ServiceDeclaration(
        name, Encoding.JSON, codec -> new Json(Codecs.given(codec), type, service));
  }

  static <Q, A> ServiceDeclaration typed(
      String name,
      Decode<Q> decode,
      Encode<A> encode,
      ServiceErrors errors,
      TypedFunction<Q, A> function) {
    Body body = new Typed<>(name, decode, encode, errors, function);
    return new ServiceDeclaration(name, Encoding.WIRE, codec -> body);
  }

  static <T, Q, A> ServiceDeclaration function(
      String callback,
      String name,
      Decode<Q> decode,
      Encode<A> encode,
      ServiceErrors errors,
      ToLongFunction<Q> number,
      CallbackFunction<T, Q, A> function) {
    Maker maker =
        (codec, objects) ->
            new Typed<Q, A>(
                name,
                decode,
                encode,
                errors,
                request -> {
                  @SuppressWarnings("unchecked") // The client has passed it as an implementation.
                  T object = (T) found(objects, callback, number.applyAsLong(request));
                  return function.answer(object, request);
                });
    return new ServiceDeclaration(name, Encoding.WIRE, null, maker);
  }

  /** The request for a function whose arguments or whose result cross by methods. */
  private record Called(long object, long call) {
    static Called read(WireReader in) {
      return new Called(in.i64(), in.i64());
    }
  }

  static <T, Q, A> ServiceDeclaration crossing(
      String callback,
      String name,
      Encode<A> encode,
      ServiceErrors errors,
      CallbackFunction<T, Q, A> function) {
    Maker maker =
        (codec, objects) ->
            new Typed<Called, Object>(
                name,
                Called::read,
                (out, value) -> writeResult(out, value, encode),
                errors,
                called -> crossed(called, callback, name, objects, function));
    return new ServiceDeclaration(name, Encoding.WIRE, null, maker);
  }

  @SuppressWarnings("unchecked") // The function has this result.
  private static <A> void writeResult(WireWriter out, Object value, Encode<A> encode) {
    if (encode != null) {
      encode.write(out, (A) value);
    }
  }

  /**
   * Completes when the plugin has accepted a result. Cancelling it cancels the function's stage.
   */
  private static final class Returned extends CompletableFuture<Object> {
    private final CompletionStage<?> stage;

    Returned(CompletionStage<?> stage) {
      this.stage = stage;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      boolean isCancelled = super.cancel(mayInterrupt);
      stage.toCompletableFuture().cancel(mayInterrupt);
      return isCancelled;
    }
  }

  /** Calls a function with its arguments, and returns its result to the plugin. */
  @SuppressWarnings("unchecked") // The client has passed the object, and read the arguments.
  private static <T, Q, A> CompletionStage<Object> crossed(
      Called called,
      String callback,
      String name,
      HostObjects objects,
      CallbackFunction<T, Q, A> function)
      throws Exception {
    T object = (T) found(objects, callback, called.object());
    Crossing crossing = objects.crossing(name);
    Q given = (Q) crossing.arguments(called.call());
    CompletionStage<A> stage = function.answer(object, given);
    if (stage == null || !crossing.returns()) {
      return (CompletionStage<Object>) stage;
    }
    Returned returned = new Returned(stage);
    stage.whenComplete((value, failure) -> {
      if (failure != null) {
        returned.completeExceptionally(failure);
        return;
      }
      try {
        crossing.result(called.call(), value);
        returned.complete(null);
      } catch (RuntimeException refused) {
        returned.completeExceptionally(refused);
      }
    });
    return returned;
  }

  private static Object found(HostObjects objects, String callback, long number) {
    Object object = objects.get(number);
    if (object == null) {
      throw new PluginException(
          Status.NOT_FOUND,
          "rustbridge.ObjectReleased",
          "callback "
              + callback
              + ": the host has no object "
              + Long.toUnsignedString(number)
              + ": it was released",
          Map.of(),
          null);
    }
    return object;
  }

  /** Returns the service that releases the host's objects of a callback. */
  static ServiceDeclaration callback(String callback) {
    return new ServiceDeclaration(
        callback + ":release", Encoding.WIRE, callback, (codec, objects) -> new Release(objects));
  }

  /** Removes an object of the host. It needs no context, because it calls no other code. */
  private record Release(HostObjects objects) implements ServiceFunction {
    @Override
    public Object answer(
        byte[] request, long timeoutNanos, byte[] trace, byte[] state, byte[] metadata) {
      objects.remove(new WireReader().read(request, request.length, WireReader::i64));
      return Answer.NO_BYTES;
    }

    @Override
    public byte[] write(Object answer) {
      return (byte[]) answer;
    }
  }

  /** Returns the services of the annotated methods of an object. */
  static List<ServiceDeclaration> of(Object object) {
    List<ServiceDeclaration> found = new ArrayList<>();
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
        Service service = method.getAnnotation(Service.class);
        if (service != null) {
          found.add(annotated(object, method, service.value()));
        }
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          object.getClass() + " has no method that is annotated with @Service");
    }
    return found;
  }

  private static ServiceDeclaration annotated(
      Object object, java.lang.reflect.Method method, String name) {
    Class<?>[] parameters = method.getParameterTypes();
    boolean takesCall =
        parameters.length > 0 && parameters[parameters.length - 1] == ServiceCall.class;
    int requests = parameters.length - (takesCall ? 1 : 0);
    if (requests > 1) {
      throw new IllegalArgumentException(
          method + " has " + requests + " request parameters, expected one or none");
    }
    if (!method.trySetAccessible()) {
      throw new IllegalArgumentException(
          method + " can't be called from here: its package has to be open to this module");
    }
    JsonService<Object, Object> call =
        (request, with) -> {
          Object[] arguments = new Object[parameters.length];
          if (requests == 1) {
            arguments[0] = request;
          }
          if (takesCall) {
            arguments[parameters.length - 1] = with;
          }
          try {
            return method.invoke(object, arguments);
          } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Exception cause) {
              throw cause;
            }
            throw (Error) thrown.getCause();
          }
        };
    if (requests == 1 && parameters[0] == byte[].class) {
      return new ServiceDeclaration(name, Encoding.RAW, codec -> new AnnotatedRaw(call));
    }
    return json(name, requests == 1 ? method.getGenericParameterTypes()[0] : null, call);
  }

  private record AnnotatedRaw(JsonService<Object, Object> service) implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      return service.answer(request, call);
    }

    @Override
    public byte[] write(Object answer) {
      return (byte[]) answer;
    }
  }
}

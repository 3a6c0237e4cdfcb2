package io.github.rustbridge;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.interop.ServiceSink;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.EncodeException;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Calls an application's function for a plugin. An exception of the function becomes a status. */
final class Served implements ServiceSink {
  private final Natives natives;
  private final String name;
  private final Body body;
  private final Logging logging;
  private final Contexts contexts;

  /** Calls that are answered later, by number, so that they can be cancelled. */
  private final Map<Long, CompletionStage<?>> later = new HashMap<>();

  /** How many calls are getting their numbers. Guarded by {@link #later}, as what follows. */
  private int deferring;

  /** Calls that were cancelled before their stages were in {@link #later}. */
  private final Set<Long> cancelledEarly = new HashSet<>();

  /** A function: bytes in; bytes out, or a stage of what {@link Body#write} makes bytes of. */
  interface Body {
    Object answer(byte[] request, ServiceCall call) throws Exception;

    /** Makes bytes of an answer. */
    byte[] write(Object answer);
  }

  /**
   * A service that was declared and isn't registered yet: codec and library are known when a plugin
   * is loaded.
   *
   * @param name the name by which the plugin calls it
   * @param encoding of request and answer
   * @param body makes the function, of the codec
   */
  record Declared(String name, Encoding encoding, Function<JsonCodec, Body> body) {
    LoadRequest.Service registered(
        Natives natives, JsonCodec codec, Logging logging, Contexts contexts) {
      Served served = new Served(natives, name, body.apply(codec), logging, contexts);
      return new LoadRequest.Service(Text.encode(name), encoding.number(), served);
    }
  }

  private Served(Natives natives, String name, Body body, Logging logging, Contexts contexts) {
    this.natives = natives;
    this.name = name;
    this.body = body;
    this.logging = logging;
    this.contexts = contexts;
  }

  private record Bytes(AsyncService service) implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      return service.answer(request, call);
    }

    @Override
    public byte[] write(Object answer) {
      return (byte[]) answer;
    }
  }

  private record AtOnce(RawService service) implements Body {
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

  /** One whose types a client knows. */
  private record Typed<Q, A>(
      String name, Decode<Q> decode, Encode<A> encode, TypedServices.Function<Q, A> function)
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
    @SuppressWarnings("unchecked") // What the function's stage had.
    public byte[] write(Object answer) {
      WireWriter out = new WireWriter();
      try {
        encode.write(out, (A) answer);
      } catch (EncodeException unfit) {
        throw new EncodeException(name + ": " + unfit.getMessage());
      } catch (NullPointerException missing) {
        throw new EncodeException(
            name
                + ": the response contains null where a value is required: "
                + missing.getMessage());
      }
      return out.toByteArray();
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

  static Declared raw(String name, Encoding encoding, RawService service) {
    return new Declared(name, encoding, codec -> new AtOnce(service));
  }

  static Declared later(String name, Encoding encoding, AsyncService service) {
    return new Declared(name, encoding, codec -> new Bytes(service));
  }

  static Declared json(String name, Type type, JsonService<Object, ?> service) {
    return new Declared(name, Encoding.JSON, codec -> new Json(Codecs.given(codec), type, service));
  }

  static <Q, A> Declared typed(
      String name, Decode<Q> decode, Encode<A> encode, TypedServices.Function<Q, A> function) {
    Body body = new Typed<>(name, decode, encode, function);
    return new Declared(name, Encoding.WIRE, codec -> body);
  }

  /** The annotated methods of an object. */
  static List<Declared> of(Object object) {
    List<Declared> found = new ArrayList<>();
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

  private static Declared annotated(Object object, java.lang.reflect.Method method, String name) {
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
      return new Declared(name, Encoding.RAW, codec -> new Raw(call));
    }
    return json(name, requests == 1 ? method.getGenericParameterTypes()[0] : null, call);
  }

  private record Raw(JsonService<Object, Object> service) implements Body {
    @Override
    public Object answer(byte[] request, ServiceCall call) throws Exception {
      return service.answer(request, call);
    }

    @Override
    public byte[] write(Object answer) {
      return (byte[]) answer;
    }
  }

  @Override
  public int call(
      long call,
      long response,
      byte[] request,
      long timeoutNanos,
      byte[] trace,
      byte[] state,
      byte[] metadata,
      long number) {
    try {
      try {
        ServiceCall with = new ServiceCall(timeoutNanos, trace, state, metadata);
        Object answer = contexts.run(number, () -> answer(request, with));
        if (answer instanceof CompletableFuture<?> future
            && future.getClass() == CompletableFuture.class
            && future.isDone()) {
          answer = answered(future);
        } else if (answer instanceof CompletionStage<?> stage) {
          return later(call, stage);
        }
        Operations.respond(natives, response, body.write(answer));
        return Status.OK.number();
      } catch (Throwable thrown) {
        logging.failed(name, thrown);
        Operations.respond(natives, response, Thrown.payload(thrown));
        return Thrown.status(thrown);
      }
    } catch (Throwable again) {
      // No memory for the payload, say. The status is all there is.
      return Status.INTERNAL.number();
    }
  }

  private Object answer(byte[] request, ServiceCall call) throws Exception {
    ServiceCall.Scope scope = call.makeCurrent();
    try {
      return body.answer(request, call);
    } finally {
      scope.close();
    }
  }

  /**
   * What a future is complete with, which saves the crossings of answering later. Of the class
   * itself only: others may answer otherwise to whoever asks, or not at all.
   */
  private static Object answered(CompletableFuture<?> future) throws Throwable {
    if (future.isCompletedExceptionally()) {
      // What it was completed with, as join throws another with a message of its own.
      throw future.handle((none, thrown) -> thrown).join();
    }
    return future.join();
  }

  private int later(long call, CompletionStage<?> stage) {
    long number;
    boolean isCancelled;
    synchronized (later) {
      deferring++;
    }
    try {
      number = Operations.later(natives, call);
      isCancelled = kept(number, stage);
    } catch (Throwable over) {
      kept(null, stage);
      // Nobody waits any more, and nobody would say so.
      CallOptions.ELSEWHERE.execute(() -> cancel(stage));
      throw over;
    }
    try {
      stage.whenComplete((answer, thrown) -> {
        taken(number);
        reply(number, answer, thrown);
      });
      if (isCancelled) {
        CallOptions.ELSEWHERE.execute(() -> cancel(stage));
      }
    } catch (Throwable untold) {
      // The call has a number already, by which alone it's answered from here on.
      taken(number);
      reply(number, null, untold);
    }
    return AbiLayout.RB_PENDING;
  }

  /**
   * Keeps a stage by the number of its call, null if it didn't get one.
   *
   * @return whether the call was cancelled meanwhile
   */
  private boolean kept(Long number, CompletionStage<?> stage) {
    synchronized (later) {
      deferring--;
      boolean isCancelled = cancelledEarly.remove(number);
      if (deferring == 0) {
        cancelledEarly.clear();
      }
      if (number != null && !isCancelled) {
        later.put(number, stage);
      }
      return isCancelled;
    }
  }

  private CompletionStage<?> taken(long number) {
    synchronized (later) {
      return later.remove(number);
    }
  }

  private void reply(long number, Object answer, Throwable thrown) {
    Throwable failure = thrown;
    if (failure == null) {
      try {
        Operations.reply(natives, number, Status.OK.number(), body.write(answer));
        return;
      } catch (Throwable unwritable) {
        failure = unwritable;
      }
    }
    try {
      logging.failed(name, failure);
      Operations.reply(natives, number, Thrown.status(failure), Thrown.payload(failure));
    } catch (Throwable again) {
      // No memory for the payload, say. The plugin must not wait for it.
      Operations.reply(natives, number, Status.INTERNAL.number(), Answer.NO_BYTES);
    }
  }

  @Override
  public void cancelled(long number) {
    try {
      CompletionStage<?> stage;
      synchronized (later) {
        stage = later.remove(number);
        if (stage == null && deferring > 0) {
          cancelledEarly.add(number);
        }
      }
      if (stage != null) {
        // Elsewhere, as what depends on it runs in place, and this thread is the plugin's.
        CallOptions.ELSEWHERE.execute(() -> cancel(stage));
      }
    } catch (Throwable refused) {
      // It goes on, and its answer is refused.
    }
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (Throwable unsupported) {
      // It goes on, and its answer is refused.
    }
  }
}

package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.ObjectRelease;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.objects.ObjectSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes arguments of the host's objects, for the calls of a client: each call creates an object of
 * the plugin that stands for the host's object.
 */
final class HostArguments {
  private final Plugin plugin;

  /** The methods that create the objects, by the callback's name. */
  private final Map<String, Method> creators = new ConcurrentHashMap<>();

  HostArguments(Plugin plugin) {
    this.plugin = plugin;
  }

  /** Adds a callback, with the method that creates its objects. */
  void add(String callback, Method creator) {
    creators.put(callback, creator);
  }

  /**
   * Returns an argument.
   *
   * @param callback the name of the callback
   * @param object the host's object
   * @throws PluginException with {@link Status#FAILED_PRECONDITION} if the plugin was loaded
   *     without the services of the callback
   */
  ObjectSource of(String callback, Object object) {
    HostObjects objects = plugin.hostObjects();
    if (objects == null || !objects.serves(callback)) {
      throw new PluginException(
          Status.FAILED_PRECONDITION,
          "rustbridge.MissingService",
          "plugin instance `"
              + plugin.name()
              + "` can't call an object of the host as a `"
              + callback
              + "`, because it was loaded without the services of this callback: load it by the"
              + " client, or with the configuration of the client's FACTORY",
          Map.of(),
          null);
    }
    return new Argument(objects, creators.get(callback), object);
  }

  private record Argument(HostObjects objects, Method creator, Object object)
      implements ObjectSource {
    @Override
    public long create() {
      byte[] request = new byte[Long.BYTES];
      long number = objects.add(object);
      try {
        ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN).putLong(number);
        return creator.wait(request, CallOptions.defaults(), new Created(creator));
      } catch (Throwable failed) {
        objects.remove(number);
        throw failed;
      }
    }

    @Override
    public void release(long number) {
      ObjectRelease.release(creator.plugin().natives(), number);
    }
  }

  /** Decodes a response to the number of its only object. */
  private record Created(Method creator) implements Decoder<Long> {
    @Override
    public Long read(Answer answer) {
      if (answer.objects().length != 1) {
        discard(answer.objects());
        throw new PluginException(
            Status.INTERNAL,
            "rustbridge.InvalidResponse",
            creator.name()
                + ": the plugin returned "
                + answer.objects().length
                + " objects, expected one",
            Map.of(),
            null);
      }
      return answer.objects()[0];
    }

    @Override
    public void discard(Long object) {
      discard(new long[] {object});
    }

    private void discard(long[] objects) {
      Natives natives = creator.plugin().natives();
      ObjectRelease.release(natives, objects);
    }

    @Override
    public boolean takesObjects() {
      return true;
    }
  }
}

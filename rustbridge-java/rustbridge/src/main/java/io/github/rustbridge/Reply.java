package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.internal.Threads;
import java.lang.reflect.Type;
import java.util.List;

/**
 * A response with its initial metadata, trailing metadata and objects. The objects are in the order
 * of their positions in the response.
 *
 * <p>Closing the reply closes its objects, if the caller needs none of them.
 */
public final class Reply implements AutoCloseable {
  private final Plugin plugin;
  private final byte[] bytes;
  private final Metadata headers;
  private final Metadata trailers;
  private final List<PluginObject> objects;

  Reply(Plugin plugin, Answer answer) {
    this.plugin = plugin;
    bytes = answer.bytes();
    headers = Metadata.unpacked(answer.headers());
    trailers = Metadata.unpacked(answer.trailers());
    objects = PluginObject.all(plugin, answer.objects());
  }

  /**
   * Returns the bytes of the response.
   *
   * @return the bytes; they aren't copied
   */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Returns the response as text.
   *
   * @return the text
   * @throws PluginException with {@link Status#DATA_LOSS} if the response isn't valid UTF-8
   */
  public String text() {
    return Text.decode(bytes, 0, bytes.length);
  }

  /**
   * Decodes the response as JSON.
   *
   * @param type the class of the value
   * @param <T> the class of the value
   * @return the value
   * @throws IllegalArgumentException if the text isn't a value of that class
   */
  @SuppressWarnings("unchecked")
  public <T> T json(Class<T> type) {
    return (T) plugin.codec().decode(bytes, (Type) type);
  }

  /**
   * Returns the initial metadata, which the plugin sent before the response.
   *
   * @return the metadata; empty unless {@link CallOptions#withHeaders()} requested it. For an item
   *     it's empty: see {@link Items#headers()}
   */
  public Metadata headers() {
    return headers;
  }

  /**
   * Returns the trailing metadata, which the plugin sent with the end of the call.
   *
   * @return the trailing metadata
   */
  public Metadata trailers() {
    return trailers;
  }

  /**
   * Returns the objects of the response.
   *
   * @return the objects, unmodifiable; the caller must close each of them
   */
  public List<PluginObject> objects() {
    return objects;
  }

  /**
   * Returns the only object of the response.
   *
   * @return the object; the caller must close it
   * @throws IllegalStateException if the response doesn't have exactly one object
   */
  public PluginObject object() {
    if (objects.size() != 1) {
      throw new IllegalStateException(
          "the response has " + objects.size() + " objects, expected one");
    }
    return objects.get(0);
  }

  /** Closes all objects of the response. */
  @Override
  public void close() {
    objects.forEach(PluginObject::close);
  }

  /** Decodes a response with its metadata and objects. */
  record ReplyDecoder(Plugin plugin) implements Decoder<Reply> {
    @Override
    public Reply read(Answer answer) {
      return new Reply(plugin, answer);
    }

    @Override
    public void discard(Reply reply) {
      reply.close();
    }

    @Override
    public boolean takesObjects() {
      return true;
    }
  }

  /** Decodes a response to its only object. */
  record ObjectDecoder(Plugin plugin) implements Decoder<PluginObject> {
    @Override
    public PluginObject read(Answer answer) {
      Reply reply = new Reply(plugin, answer);
      try {
        return reply.object();
      } catch (IllegalStateException none) {
        // On another thread: the caller may hold a lock, and the plugin's destructors may block.
        Threads.DEFAULT_EXECUTOR.execute(reply::close);
        throw none;
      }
    }

    @Override
    public void discard(PluginObject object) {
      object.close();
    }

    @Override
    public boolean takesObjects() {
      return true;
    }
  }
}

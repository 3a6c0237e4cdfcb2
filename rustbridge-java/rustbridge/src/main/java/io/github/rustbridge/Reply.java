package io.github.rustbridge;

import java.lang.reflect.Type;
import java.util.List;

/**
 * An answer with all that came beside it: headers, trailers, and objects in the order in which it
 * speaks of them.
 *
 * <p>Closing it closes its objects, for those who want none of them.
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
   * Gives the answer's bytes.
   *
   * @return the bytes, not copied
   */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Gives the answer as text.
   *
   * @return the text
   * @throws PluginException with {@link Status#DATA_LOSS} if it isn't UTF-8
   */
  public String text() {
    return Text.decode(bytes, 0, bytes.length);
  }

  /**
   * Reads the answer as JSON.
   *
   * @param type the class of what it's read as
   * @param <T> the same
   * @return the value
   * @throws IllegalArgumentException if the text isn't such a value
   */
  @SuppressWarnings("unchecked")
  public <T> T json(Class<T> type) {
    return (T) plugin.codec().decode(bytes, (Type) type);
  }

  /**
   * Gives the metadata that the plugin has said before the answer.
   *
   * @return the headers; empty unless {@link CallOptions#withHeaders()} asked for them. An item has
   *     none: they're of the {@link Items}
   */
  public Metadata headers() {
    return headers;
  }

  /**
   * Gives the metadata at the answer's end.
   *
   * @return the trailers
   */
  public Metadata trailers() {
    return trailers;
  }

  /**
   * Gives the objects that came with it.
   *
   * @return the objects, unmodifiable; each is to be closed
   */
  public List<PluginObject> objects() {
    return objects;
  }

  /**
   * Gives the only object that came with it.
   *
   * @return the object, to be closed
   * @throws IllegalStateException if there isn't just one
   */
  public PluginObject object() {
    if (objects.size() != 1) {
      throw new IllegalStateException("the answer has " + objects.size() + " objects, not one");
    }
    return objects.get(0);
  }

  /** Closes all of its objects. */
  @Override
  public void close() {
    objects.forEach(PluginObject::close);
  }
}

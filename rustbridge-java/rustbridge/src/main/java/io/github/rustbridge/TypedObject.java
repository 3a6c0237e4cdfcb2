package io.github.rustbridge;

import java.util.Objects;

/**
 * An object of the plugin with typed methods: the base class of the objects' classes that {@code
 * rustbridge gen} writes. Close it, as described for {@link PluginObject}.
 *
 * <p>Safe for use from any thread.
 */
public abstract class TypedObject implements AutoCloseable {
  private final PluginObject untyped;

  /**
   * Creates an object.
   *
   * @param untyped the object
   */
  protected TypedObject(PluginObject untyped) {
    this.untyped = Objects.requireNonNull(untyped, "untyped");
  }

  /**
   * Creates an object, for a constructor that calls the plugin.
   *
   * @param created the object that the plugin has created
   */
  protected TypedObject(TypedObject created) {
    this(created.untyped);
  }

  /**
   * Returns the same object, for calls without types.
   *
   * @return the object
   */
  public final PluginObject untyped() {
    return untyped;
  }

  /**
   * Creates the options for a call to a method of this object.
   *
   * @param options the call options
   * @return a copy that passes this object as the first borrowed object
   * @throws IllegalStateException if the object is closed
   */
  protected final CallOptions receiving(CallOptions options) {
    return untyped.receiving(options);
  }

  /**
   * Reports whether the object was closed.
   *
   * @return whether {@link #close()} was called
   */
  public final boolean isClosed() {
    return untyped.isClosed();
  }

  /** Releases the object. Further calls have no effect. */
  @Override
  public void close() {
    untyped.close();
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + untyped + "]";
  }
}

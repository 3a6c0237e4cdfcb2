package io.github.rustbridge;

import java.util.Objects;

/**
 * A value that stays in the plugin, by methods with types: what the classes extend that {@code
 * rustbridge gen} writes for objects. Close it, as {@link PluginObject} says.
 *
 * <p>Safe for use from any thread.
 */
public abstract class TypedObject implements AutoCloseable {
  private final PluginObject untyped;

  /**
   * Creates an exception.
   *
   * @param untyped the object
   */
  protected TypedObject(PluginObject untyped) {
    this.untyped = Objects.requireNonNull(untyped, "untyped");
  }

  /**
   * Gives the same object, to be called without types.
   *
   * @return the object
   */
  public final PluginObject untyped() {
    return untyped;
  }

  /**
   * Makes options of a call to a method of this object.
   *
   * @param options the call options
   * @return a copy that lends this object first
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
  public final void close() {
    untyped.close();
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + untyped + "]";
  }
}

package io.github.rustbridge;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

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

  /**
   * Returns the class and the state of the object, or the plugin's text if its type has one.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + untyped + "]";
  }

  /**
   * Returns a text of the plugin. If the call fails, the text states the error, because loggers and
   * debuggers expect a text.
   *
   * @param call calls the plugin
   * @return the text
   */
  protected final String text(Supplier<String> call) {
    try {
      return call.get();
    } catch (PluginException | IllegalStateException failed) {
      return "<" + getClass().getSimpleName() + ": " + failed.getMessage() + ">";
    }
  }

  /**
   * Reports whether two objects are equal. Those of different instances aren't, and no call is
   * made.
   *
   * @param other the other object
   * @param call calls the plugin
   * @return whether they are equal
   */
  protected final boolean isEqual(TypedObject other, BooleanSupplier call) {
    return this == other
        || (untyped.plugin().equals(other.untyped.plugin()) && call.getAsBoolean());
  }

  /**
   * Compares two objects.
   *
   * @param other the other object
   * @param call calls the plugin
   * @return a number below 0, 0, or a number above 0
   * @throws IllegalArgumentException if the objects belong to different instances
   */
  protected final int comparison(TypedObject other, IntSupplier call) {
    if (!untyped.plugin().equals(other.untyped.plugin())) {
      throw new IllegalArgumentException(
          "objects of different instances have no order: compare each with those of its instance");
    }
    return call.getAsInt();
  }
}

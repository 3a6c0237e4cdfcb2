package io.github.rustbridge.interop;

/**
 * An instance of a plugin, for the packages that call it.
 *
 * <p>For backends only; it may change with every version.
 */
public final class Instance {
  private final Natives natives;
  private final long handle;
  private final String name;

  /**
   * The plugin, which is closed if it becomes unreachable. Its calls keep this object reachable.
   */
  private final Object owner;

  /**
   * Creates an instance.
   *
   * @param natives the functions for asynchronous calls
   * @param handle the instance's handle
   * @param name the instance's name
   * @param owner the object that is closed if it becomes unreachable
   */
  public Instance(Natives natives, long handle, String name, Object owner) {
    this.natives = natives;
    this.handle = handle;
    this.name = name;
    this.owner = owner;
  }

  /**
   * Returns the native library's functions for asynchronous calls.
   *
   * @return the functions
   */
  public Natives natives() {
    return natives;
  }

  /**
   * Returns the instance's handle.
   *
   * @return the handle
   */
  public long handle() {
    return handle;
  }

  /**
   * Returns the instance's name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Returns the object that is closed if it becomes unreachable.
   *
   * @return the plugin
   */
  public Object owner() {
    return owner;
  }
}

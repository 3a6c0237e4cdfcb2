package io.github.rustbridge.interop;

/**
 * An instance of a plugin, for the packages that call it.
 *
 * <p>For backends only; it may change with every version.
 */
public final class Instance {
  private final HostFunctions functions;
  private final long handle;
  private final String name;

  /**
   * The plugin, which is closed if it becomes unreachable. Its calls keep this object reachable.
   */
  private final Object owner;

  /**
   * Creates an instance.
   *
   * @param functions the functions of the native library
   * @param handle the instance's handle
   * @param name the instance's name
   * @param owner the object that is closed if it becomes unreachable
   */
  public Instance(HostFunctions functions, long handle, String name, Object owner) {
    this.functions = functions;
    this.handle = handle;
    this.name = name;
    this.owner = owner;
  }

  /**
   * Returns the functions of the native library.
   *
   * @return the functions
   */
  public HostFunctions functions() {
    return functions;
  }

  /**
   * Returns the native library's functions for asynchronous calls.
   *
   * @return the functions
   */
  public Natives natives() {
    return functions.natives();
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

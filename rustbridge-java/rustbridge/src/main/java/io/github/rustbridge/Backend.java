package io.github.rustbridge;

import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.HostFunctions;

/**
 * A binding's way into the native library: its functions, and the methods that call plugins by
 * them.
 *
 * <p>For backends only; it may change with every version.
 */
@SuppressWarnings("exports") // Only backends use these types.
public interface Backend extends HostFunctions {
  /**
   * Creates the method that calls a target.
   *
   * @param target the instance, and the core's data about the method
   * @return the method
   */
  Method method(CallTarget target);
}

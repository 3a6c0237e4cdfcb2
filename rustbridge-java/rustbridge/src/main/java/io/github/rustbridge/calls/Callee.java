package io.github.rustbridge.calls;

import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.Natives;

/**
 * The callee of calls: their target, and the parts of its instance that calls use.
 *
 * @param target the instance's handle, and the core's data about the method
 * @param contexts the contexts of the instance's calls, for services; null without any
 * @param failures creates the exceptions of failed calls
 */
public record Callee(CallTarget target, Contexts contexts, FailureMapping failures) {
  /** Returns the method's name. */
  public String name() {
    return target.name();
  }

  /** Returns the native library's functions for asynchronous calls. */
  public Natives natives() {
    return target.instance().natives();
  }
}

package io.github.rustbridge.calls;

import java.util.concurrent.Callable;

/** Captures the context of the calling thread when a call starts. */
@FunctionalInterface
public interface ContextCapture {
  /** A context that was captured. */
  @FunctionalInterface
  interface Context {
    /** Returns a function that runs another one in the context. */
    Callable<Object> wrap(Callable<Object> function);
  }

  /** Captures the context; null if there's nothing to pass on. */
  Context capture();
}

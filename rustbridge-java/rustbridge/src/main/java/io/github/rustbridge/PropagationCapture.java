package io.github.rustbridge;

import io.github.rustbridge.calls.ContextCapture;

/** Captures contexts by a propagation of the application. */
record PropagationCapture(ContextPropagation propagation) implements ContextCapture {
  @Override
  public Context capture() {
    ContextSnapshot snapshot = propagation.capture();
    return snapshot == null ? null : snapshot::wrap;
  }
}

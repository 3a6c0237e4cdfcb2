package io.github.rustbridge;

/**
 * How the arguments and the result of a callback's function cross: by methods of the plugin,
 * because services carry no objects.
 */
interface Crossing {
  /** Returns the arguments of a call with a number: the only one, or a tuple. */
  Object arguments(long call);

  /** Whether a method accepts results; otherwise they're the service's responses. */
  boolean returns();

  /** Returns the result of a call to the plugin. */
  void result(long call, Object value);
}

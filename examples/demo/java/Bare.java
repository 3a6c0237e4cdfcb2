/**
 * Hand-written bindings of the floor's functions, as a careful programmer would write them: values
 * in and out, and memory that is allocated once.
 */
abstract class Bare {
  /** Returns the binding's name for the table. */
  abstract String name();

  /** Echoes a message, by an ordinary call, because the plugin's method isn't a leaf method. */
  abstract String echo(String json);

  /** Adds two numbers. */
  abstract int add(byte[] request, byte[] response);

  /** Looks up a key. */
  abstract int small(byte[] request, byte[] response);
}

/**
 * The floor's functions, called as a careful person would by hand: values in and out, memory made
 * once.
 */
abstract class Bare {
  /** What it is, for the table. */
  abstract String name();

  /** Echoes a message. An ordinary call, as the plugin's method is no leaf. */
  abstract String echo(String json);

  /** Adds two numbers. */
  abstract int add(byte[] request, byte[] response);

  /** Looks up a key. */
  abstract int small(byte[] request, byte[] response);
}

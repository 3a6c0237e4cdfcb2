package io.github.rustbridge;

/** How a method's request and response are laid out as bytes. */
public enum Encoding {
  /** JSON text in UTF-8. */
  JSON(0),
  /** Bytes without a meaning that rustbridge knows of. */
  RAW(1),
  /** One C struct of fixed size; {@link Plugin#describe()} gives its layout. */
  POD(2),
  /** MessagePack. */
  MSGPACK(3),
  /** The bincode 2 format in its standard configuration. */
  BINCODE(4),
  /** The postcard format. */
  POSTCARD(5),
  /**
   * Typed values without names, as {@code docs/wire.md} specifies: what generated clients speak.
   */
  WIRE(6);

  private static final Encoding[] ALL = values();

  private final int number;

  Encoding(int number) {
    this.number = number;
  }

  /**
   * Gives the number that stands for it in the host ABI.
   *
   * @return the number
   */
  public int number() {
    return number;
  }

  /**
   * Finds the encoding with a number.
   *
   * @param number an encoding of the host ABI
   * @return the encoding
   * @throws IllegalArgumentException if no encoding has that number
   */
  public static Encoding of(int number) {
    if (number < 0 || number >= ALL.length) {
      throw new IllegalArgumentException(
          "the native library answered the unknown encoding " + Integer.toUnsignedString(number));
    }
    return ALL[number];
  }

  /**
   * Gives the name that {@code describe} uses, e.g. {@code pod}.
   *
   * @return the name in lower case
   */
  public String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}

package io.github.rustbridge;

/** The layout of a method's request and response as bytes. */
public enum Encoding {
  /** JSON text in UTF-8. */
  JSON(0),
  /** Bytes whose structure rustbridge doesn't know. */
  RAW(1),
  /** A C struct of fixed size; {@link Plugin#describe()} returns its layout. */
  POD(2),
  /** MessagePack. */
  MSGPACK(3),
  /** The bincode 2 format in its standard configuration. */
  BINCODE(4),
  /** The postcard format. */
  POSTCARD(5),
  /** Typed values without names, as {@code docs/wire.md} specifies. Generated clients use it. */
  WIRE(6);

  private static final Encoding[] ALL = values();

  private final int number;

  Encoding(int number) {
    this.number = number;
  }

  /**
   * Returns the number of this value in the host ABI.
   *
   * @return the number
   */
  public int number() {
    return number;
  }

  /**
   * Returns the encoding with a number.
   *
   * @param number an encoding of the host ABI
   * @return the encoding
   * @throws IllegalArgumentException if no encoding has that number
   */
  public static Encoding of(int number) {
    if (number < 0 || number >= ALL.length) {
      throw new IllegalArgumentException(
          "the native library returned the unknown encoding " + Integer.toUnsignedString(number));
    }
    return ALL[number];
  }

  /**
   * Returns the name that the description uses, e.g. {@code pod}.
   *
   * @return the name in lower case
   */
  public String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}

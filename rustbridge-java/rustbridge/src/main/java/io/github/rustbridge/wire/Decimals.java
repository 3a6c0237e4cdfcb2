package io.github.rustbridge.wire;

import java.math.BigDecimal;

/** The texts of decimal numbers: digits, perhaps with a minus before and a point between them. */
final class Decimals {
  /** The most characters of a text. */
  private static final int MOST = 1000;

  private Decimals() {}

  static boolean isDecimal(String text) {
    boolean hasPoint = false;
    int digits = 0;
    for (int place = text.startsWith("-") ? 1 : 0; place < text.length(); place++) {
      char letter = text.charAt(place);
      if (letter >= '0' && letter <= '9') {
        digits++;
      } else if (letter == '.' && digits > 0 && !hasPoint) {
        hasPoint = true;
        digits = 0;
      } else {
        return false;
      }
    }
    return digits > 0 && text.length() <= MOST;
  }

  static String text(BigDecimal value, String field) {
    // A short number may have very many digits: 1E+999999.
    long before = (long) value.precision() - value.scale();
    if (before <= MOST && value.scale() <= MOST) {
      String text = value.toPlainString();
      if (text.length() <= MOST) {
        return text;
      }
    }
    throw new EncodeException(
        field + ": a number of at most " + MOST + " characters is expected, not a longer one");
  }
}

// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * Plain old data with smaller fields.
 *
 * @param time its bits are those of a number without a sign
 * @param value {@code value}
 * @param channel {@code channel}
 * @param flags {@code flags}
 */
@SuppressWarnings("ArrayRecordComponent")
public record Sample(long time, float value, int channel, byte[] flags) {
  /** Refuses null where there has to be something. */
  public Sample {
    Objects.requireNonNull(flags, "Sample.flags");
  }

  private Object[] components() {
    return new Object[] {time, value, channel, flags};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sample that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("Sample", components(), "time", "value", "channel", "flags");
  }
}

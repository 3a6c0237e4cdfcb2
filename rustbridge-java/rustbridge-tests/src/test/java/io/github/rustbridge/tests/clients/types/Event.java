// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/** What has happened to somebody, of which more may come. */
public sealed interface Event {
  /** They have come. */
  record Came() implements Event {}

  /**
   * They have met others.
   *
   * @param others {@code others}
   * @param mood {@code mood}
   */
  record Met(List<Person> others, Mood mood) implements Event {
    /** Refuses null where there has to be something. */
    public Met {
      others = Values.list(others, "Event.Met.others");
      Objects.requireNonNull(mood, "Event.Met.mood");
    }
  }

  /**
   * They have said so.
   *
   * @param value {@code value}
   */
  record Said(String value) implements Event {
    /** Refuses null where there has to be something. */
    public Said {
      Objects.requireNonNull(value, "Event.Said.value");
    }
  }

  /**
   * One that the plugin has added since this was written. It's only read: writing it is refused.
   */
  record Unknown() implements Event {}
}

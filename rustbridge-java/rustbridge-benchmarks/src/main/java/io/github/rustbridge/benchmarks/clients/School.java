// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * A school.
 *
 * @param name 36 characters.
 * @param address Where it is.
 * @param date Since when it has been there.
 * @param emails 34 of 37 characters.
 */
public record School(String name, Address address, Date date, List<String> emails) {
  /** Refuses null where there has to be something. */
  public School {
    Objects.requireNonNull(name, "School.name");
    Objects.requireNonNull(address, "School.address");
    Objects.requireNonNull(date, "School.date");
    emails = Values.list(emails, "School.emails");
  }
}

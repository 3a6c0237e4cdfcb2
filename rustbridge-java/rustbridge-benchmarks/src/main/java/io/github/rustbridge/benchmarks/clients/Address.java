// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/**
 * A place.
 *
 * @param city 12 characters.
 * @param zip From 5000 to 7999.
 * @param street 16 characters.
 * @param number From 1 to 125.
 */
public record Address(String city, int zip, String street, short number) {
  /** Refuses null where there has to be something. */
  public Address {
    Objects.requireNonNull(city, "Address.city");
    Objects.requireNonNull(street, "Address.street");
  }
}

// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What other crates have.
 *
 * @param id {@code id}
 * @param parent or null
 * @param names {@code names}
 * @param made {@code made}
 * @param took {@code took}
 * @param seen {@code seen}
 * @param waits {@code waits}
 * @param ends or null
 * @param lasts {@code lasts}
 * @param at {@code at}
 * @param others {@code others}
 */
public record Foreign(
    UUID id,
    UUID parent,
    Map<UUID, String> names,
    Instant made,
    Duration took,
    Instant seen,
    List<Duration> waits,
    Instant ends,
    Duration lasts,
    Endpoint at,
    Map<String, List<Endpoint>> others) {
  /** Refuses null where there has to be something. */
  public Foreign {
    Objects.requireNonNull(id, "Foreign.id");
    names = Values.map(names, "Foreign.names");
    Objects.requireNonNull(made, "Foreign.made");
    Objects.requireNonNull(took, "Foreign.took");
    Objects.requireNonNull(seen, "Foreign.seen");
    waits = Values.list(waits, "Foreign.waits");
    Objects.requireNonNull(lasts, "Foreign.lasts");
    Objects.requireNonNull(at, "Foreign.at");
    others = Values.map(others, "Foreign.others");
  }
}

// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * What has itself in it, by a list.
 *
 * @param name {@code name}
 * @param children {@code children}
 */
public record Tree(String name, List<Tree> children) {
  /** Refuses null where there has to be something. */
  public Tree {
    Objects.requireNonNull(name, "Tree.name");
    children = Values.list(children, "Tree.children");
  }
}

// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/** What has itself in it, by an enum. */
public sealed interface Expr {
  /**
   * {@code Number}.
   *
   * @param value {@code value}
   */
  record Number(double value) implements Expr {}

  /**
   * {@code Negated}.
   *
   * @param value {@code value}
   */
  record Negated(Expr value) implements Expr {
    /** Refuses null where there has to be something. */
    public Negated {
      Objects.requireNonNull(value, "Expr.Negated.value");
    }
  }

  /**
   * {@code Sum}.
   *
   * @param item0 {@code item0}
   * @param item1 {@code item1}
   */
  record Sum(Expr item0, Expr item1) implements Expr {
    /** Refuses null where there has to be something. */
    public Sum {
      Objects.requireNonNull(item0, "Expr.Sum.item0");
      Objects.requireNonNull(item1, "Expr.Sum.item1");
    }
  }

  /**
   * {@code Call}.
   *
   * @param name {@code name}
   * @param arguments {@code arguments}
   */
  record Call(String name, List<Expr> arguments) implements Expr {
    /** Refuses null where there has to be something. */
    public Call {
      Objects.requireNonNull(name, "Expr.Call.name");
      arguments = Values.list(arguments, "Expr.Call.arguments");
    }
  }
}

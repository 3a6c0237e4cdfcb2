// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * One of each.
 *
 * @param numbers {@code numbers}
 * @param texts {@code texts}
 * @param times {@code times}
 * @param lists {@code lists}
 * @param pairs {@code pairs}
 * @param foreign {@code foreign}
 * @param people {@code people}
 * @param words {@code words}
 * @param color {@code color}
 * @param shape {@code shape}
 * @param tagged {@code tagged}
 * @param untagged {@code untagged}
 * @param expr {@code expr}
 * @param tree {@code tree}
 * @param samples {@code samples}
 * @param celsius {@code celsius}
 * @param unit {@code unit}
 * @param defaults {@code defaults}
 * @param renamed {@code renamed}
 * @param any or null
 * @param tuple {@code tuple}
 */
public record Every(
    Numbers numbers,
    Texts texts,
    Times times,
    Lists lists,
    Pairs pairs,
    Foreign foreign,
    PagePerson people,
    PageString words,
    Color color,
    Shape shape,
    Tagged tagged,
    Untagged untagged,
    Expr expr,
    Tree tree,
    Samples samples,
    Celsius celsius,
    Unit unit,
    Defaults defaults,
    RenamedRecord renamed,
    Object any,
    Tuple3<Integer, String, Boolean> tuple) {
  /** Refuses null where there has to be something. */
  public Every {
    Objects.requireNonNull(numbers, "Every.numbers");
    Objects.requireNonNull(texts, "Every.texts");
    Objects.requireNonNull(times, "Every.times");
    Objects.requireNonNull(lists, "Every.lists");
    Objects.requireNonNull(pairs, "Every.pairs");
    Objects.requireNonNull(foreign, "Every.foreign");
    Objects.requireNonNull(people, "Every.people");
    Objects.requireNonNull(words, "Every.words");
    Objects.requireNonNull(color, "Every.color");
    Objects.requireNonNull(shape, "Every.shape");
    Objects.requireNonNull(tagged, "Every.tagged");
    Objects.requireNonNull(untagged, "Every.untagged");
    Objects.requireNonNull(expr, "Every.expr");
    Objects.requireNonNull(tree, "Every.tree");
    Objects.requireNonNull(samples, "Every.samples");
    Objects.requireNonNull(celsius, "Every.celsius");
    Objects.requireNonNull(unit, "Every.unit");
    Objects.requireNonNull(defaults, "Every.defaults");
    Objects.requireNonNull(renamed, "Every.renamed");
    Objects.requireNonNull(tuple, "Every.tuple");
  }

  private Object[] components() {
    return new Object[] {
      numbers, texts, times, lists, pairs, foreign, people, words, color, shape, tagged, untagged,
      expr, tree, samples, celsius, unit, defaults, renamed, any, tuple
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Every that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text(
        "Every",
        components(),
        "numbers",
        "texts",
        "times",
        "lists",
        "pairs",
        "foreign",
        "people",
        "words",
        "color",
        "shape",
        "tagged",
        "untagged",
        "expr",
        "tree",
        "samples",
        "celsius",
        "unit",
        "defaults",
        "renamed",
        "any",
        "tuple");
  }
}

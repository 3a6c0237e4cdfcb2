// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;

/**
 * Lists, sets and arrays.
 *
 * @param bytes {@code bytes}
 * @param small {@code small}
 * @param numbers their bits are those of numbers without a sign
 * @param doubles {@code doubles}
 * @param large {@code large}
 * @param bools {@code bools}
 * @param texts {@code texts}
 * @param nested {@code nested}
 * @param fixed their bits are those of numbers without a sign
 * @param matrix {@code matrix}
 * @param names {@code names}
 * @param set their bits are those of numbers without a sign
 * @param people {@code people}
 * @param points {@code points}
 * @param sizes their bits are those of numbers without a sign
 * @param boxes {@code boxes}
 * @param chars code points
 * @param options {@code options}
 * @param tuples {@code tuples}
 */
@SuppressWarnings("ArrayRecordComponent")
public record Lists(
    byte[] bytes,
    byte[] small,
    int[] numbers,
    double[] doubles,
    List<BigInteger> large,
    boolean[] bools,
    List<String> texts,
    List<short[]> nested,
    int[] fixed,
    List<double[]> matrix,
    List<String> names,
    int[] set,
    List<Person> people,
    List<Point> points,
    long[] sizes,
    float[] boxes,
    int[] chars,
    List<Integer> options,
    List<Tuple2<Integer, Long>> tuples) {
  /** Refuses null where there has to be something. */
  public Lists {
    Objects.requireNonNull(bytes, "Lists.bytes");
    Objects.requireNonNull(small, "Lists.small");
    Objects.requireNonNull(numbers, "Lists.numbers");
    Objects.requireNonNull(doubles, "Lists.doubles");
    large = Values.list(large, "Lists.large");
    Objects.requireNonNull(bools, "Lists.bools");
    texts = Values.list(texts, "Lists.texts");
    nested = Values.list(nested, "Lists.nested");
    Objects.requireNonNull(fixed, "Lists.fixed");
    matrix = Values.list(matrix, "Lists.matrix");
    names = Values.list(names, "Lists.names");
    Objects.requireNonNull(set, "Lists.set");
    people = Values.list(people, "Lists.people");
    points = Values.list(points, "Lists.points");
    Objects.requireNonNull(sizes, "Lists.sizes");
    Objects.requireNonNull(boxes, "Lists.boxes");
    Objects.requireNonNull(chars, "Lists.chars");
    options = Values.nullableList(options, "Lists.options");
    tuples = Values.list(tuples, "Lists.tuples");
  }

  private Object[] components() {
    return new Object[] {
      bytes, small, numbers, doubles, large, bools, texts, nested, fixed, matrix, names, set,
      people, points, sizes, boxes, chars, options, tuples
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Lists that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text(
        "Lists",
        components(),
        "bytes",
        "small",
        "numbers",
        "doubles",
        "large",
        "bools",
        "texts",
        "nested",
        "fixed",
        "matrix",
        "names",
        "set",
        "people",
        "points",
        "sizes",
        "boxes",
        "chars",
        "options",
        "tuples");
  }
}

package io.github.rustbridge.wire;

import java.lang.reflect.Array;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;

/**
 * Support for the components of generated records: immutable copies, and comparison of arrays by
 * content.
 */
public final class Values {
  private Values() {}

  /** A list that may have nulls in it, and is nobody else's. */
  private static final class Frozen<T> extends AbstractList<T> implements RandomAccess {
    private final Object[] items;

    Frozen(Object[] items) {
      this.items = items;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T get(int index) {
      return (T) items[index];
    }

    @Override
    public int size() {
      return items.length;
    }
  }

  /** A map without nulls as keys that is nobody else's, in the order of its making. */
  private static final class FrozenMap<K, V> extends AbstractMap<K, V> {
    private final Map<K, V> pairs;
    private final boolean nulls;

    FrozenMap(Map<K, V> pairs, boolean nulls) {
      this.pairs = pairs;
      this.nulls = nulls;
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
      return Collections.unmodifiableMap(pairs).entrySet();
    }

    @Override
    public V get(Object key) {
      return pairs.get(key);
    }

    @Override
    public boolean containsKey(Object key) {
      return pairs.containsKey(key);
    }

    @Override
    public int size() {
      return pairs.size();
    }
  }

  /**
   * Returns a list of an array's items.
   *
   * @param items the items, none of them null; the list owns the array from now on
   * @param <T> the items' type
   * @return the list
   */
  @SuppressWarnings("unchecked")
  public static <T> List<T> listOf(Object[] items) {
    return (List<T>) List.of(items);
  }

  /**
   * Returns a list of an array's items, some of which may be null.
   *
   * @param items the items; the list owns the array from now on
   * @param <T> the items' type
   * @return the list
   */
  public static <T> List<T> listOfNullable(Object[] items) {
    return new Frozen<>(items);
  }

  /**
   * Returns an immutable list.
   *
   * @param list any list, without nulls
   * @param name the component's name, for the exception
   * @param <T> the items' type
   * @return a copy, or the list itself if it's already immutable
   * @throws NullPointerException if the list or one of its items is null
   */
  public static <T> List<T> list(List<T> list, String name) {
    Objects.requireNonNull(list, name);
    try {
      return List.copyOf(list);
    } catch (NullPointerException item) {
      throw new NullPointerException(name + " contains null");
    }
  }

  /**
   * Returns an immutable list, which may contain nulls.
   *
   * @param list any list
   * @param name the component's name, for the exception
   * @param <T> the items' type
   * @return a copy, or the list itself if it's already immutable
   * @throws NullPointerException if the list is null
   */
  public static <T> List<T> nullableList(List<T> list, String name) {
    Objects.requireNonNull(list, name);
    return list instanceof Frozen ? list : new Frozen<>(list.toArray());
  }

  /**
   * Returns an immutable map.
   *
   * @param map any map, without nulls
   * @param name the component's name, for the exception
   * @param <K> the keys' type
   * @param <V> the values' type
   * @return a copy in the same order, or the map itself if it's already immutable
   * @throws NullPointerException if the map, a key or a value is null
   */
  public static <K, V> Map<K, V> map(Map<K, V> map, String name) {
    Objects.requireNonNull(map, name);
    return frozen(map, name, false);
  }

  /**
   * Returns an immutable map, which may contain null values.
   *
   * @param map any map without null keys
   * @param name the component's name, for the exception
   * @param <K> the keys' type
   * @param <V> the values' type
   * @return a copy in the same order, or the map itself if it's already immutable
   * @throws NullPointerException if the map or a key is null
   */
  public static <K, V> Map<K, V> nullableMap(Map<K, V> map, String name) {
    Objects.requireNonNull(map, name);
    return frozen(map, name, true);
  }

  private static <K, V> Map<K, V> frozen(Map<K, V> map, String name, boolean nulls) {
    if (map instanceof FrozenMap<K, V> frozen && frozen.nulls == nulls) {
      return map;
    }
    Map<K, V> copy = new LinkedHashMap<>(map);
    if (copy.containsKey(null) || !nulls && copy.containsValue(null)) {
      throw new NullPointerException(name + " contains null");
    }
    return new FrozenMap<>(copy, nulls);
  }

  /** Gives a map that was just made, which nobody else has. */
  static <K, V> Map<K, V> made(Map<K, V> map, boolean nulls) {
    return new FrozenMap<>(map, nulls);
  }

  /**
   * Compares two values by content, including arrays, and lists and maps that contain arrays.
   *
   * @param one any value, or null
   * @param other any value, or null
   * @return whether they are equal; a NaN equals itself
   */
  public static boolean equal(Object one, Object other) {
    if (one == other) {
      return true;
    }
    if (one == null || other == null) {
      return false;
    }
    if (one instanceof List<?> list) {
      return other instanceof List<?> that && equalItems(list.toArray(), that.toArray());
    }
    if (one instanceof Map<?, ?> map) {
      return other instanceof Map<?, ?> that && equalMaps(map, that);
    }
    if (one instanceof Object[] items) {
      return other instanceof Object[] those && equalItems(items, those);
    }
    return Objects.deepEquals(one, other);
  }

  private static boolean equalItems(Object[] items, Object[] those) {
    if (items.length != those.length) {
      return false;
    }
    for (int i = 0; i < items.length; i++) {
      if (!equal(items[i], those[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalMaps(Map<?, ?> one, Map<?, ?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (Map.Entry<?, ?> pair : one.entrySet()) {
      Object value = other.get(pair.getKey());
      if (value == null && !other.containsKey(pair.getKey()) || !equal(pair.getValue(), value)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns a hash of the content, which is consistent with {@link #equal}.
   *
   * @param value any value, or null
   * @return the hash
   */
  public static int hash(Object value) {
    int hash = 1;
    if (value instanceof List<?> list) {
      for (Object item : list) {
        hash = 31 * hash + hash(item);
      }
      return hash;
    }
    if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> pair : map.entrySet()) {
        hash += hash(pair.getKey()) ^ hash(pair.getValue());
      }
      return hash;
    }
    if (value == null || !value.getClass().isArray()) {
      return Objects.hashCode(value);
    }
    int length = Array.getLength(value);
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + hash(Array.get(value, i));
    }
    return hash;
  }

  /**
   * Formats a record as {@link Record#toString} does, but with the content of arrays.
   *
   * @param type the name of the record's class
   * @param components the record's components
   * @param names the components' names
   * @return the text
   */
  public static String text(String type, Object[] components, String... names) {
    StringBuilder text = new StringBuilder(type).append('[');
    for (int i = 0; i < components.length; i++) {
      text.append(i == 0 ? "" : ", ").append(names[i]).append('=').append(shown(components[i]));
    }
    return text.append(']').toString();
  }

  private static Object shown(Object value) {
    if (value instanceof List<?> list) {
      return shownItems(list.toArray());
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, item) -> copy.put(shown(key), shown(item)));
      return copy;
    }
    return value == null || !value.getClass().isArray() ? value : shownItems(value);
  }

  private static List<Object> shownItems(Object array) {
    int length = Array.getLength(array);
    List<Object> items = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      items.add(shown(Array.get(array, i)));
    }
    return items;
  }
}

package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Pairs of a key and a value that accompany a call, its initial metadata or its trailing metadata.
 * Immutable; keys may repeat and keep their order.
 *
 * <pre>{@code
 * Metadata.of("tenant", "blue").with("request-id", "7")
 * }</pre>
 *
 * <p>Keys are visible ASCII without capitals; values are any bytes. A call with other keys, or with
 * more than 64 KiB of metadata, fails with {@link Status#INVALID_ARGUMENT}.
 */
public final class Metadata {
  private static final Metadata EMPTY = new Metadata(List.of());

  private final List<Entry> entries;

  /** A pair of a key and a value. */
  public static final class Entry {
    private final String key;
    private final byte[] value;

    private Entry(String key, byte[] value) {
      this.key = key;
      this.value = value;
    }

    /**
     * Returns the key.
     *
     * @return the key
     */
    public String key() {
      return key;
    }

    /**
     * Returns the value as text.
     *
     * @return the value; bytes that aren't valid UTF-8 are replaced
     */
    public String text() {
      return new String(value, StandardCharsets.UTF_8);
    }

    /**
     * Returns the value.
     *
     * @return a copy
     */
    public byte[] bytes() {
      return value.clone();
    }

    @Override
    public String toString() {
      return key + "=" + text();
    }
  }

  private Metadata(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * Returns metadata without pairs.
   *
   * @return the empty metadata
   */
  public static Metadata empty() {
    return EMPTY;
  }

  /**
   * Creates metadata with one pair.
   *
   * @param key the key
   * @param value the value
   * @return the metadata
   */
  public static Metadata of(String key, String value) {
    return EMPTY.with(key, value);
  }

  /**
   * Adds a pair.
   *
   * @param key the key
   * @param value the value
   * @return a copy with the additional pair
   */
  public Metadata with(String key, String value) {
    return added(key, Text.encode(Objects.requireNonNull(value, "value")));
  }

  /**
   * Adds a pair.
   *
   * @param key the key
   * @param value the value; it's copied
   * @return a copy with the additional pair
   */
  public Metadata with(String key, byte[] value) {
    return added(key, value.clone());
  }

  private Metadata added(String key, byte[] value) {
    List<Entry> more = new ArrayList<>(entries);
    more.add(new Entry(Objects.requireNonNull(key, "key"), value));
    return new Metadata(List.copyOf(more));
  }

  /**
   * Returns all pairs.
   *
   * @return the pairs in their order, unmodifiable
   */
  public List<Entry> entries() {
    return entries;
  }

  /**
   * Returns the first value of a key as text.
   *
   * @param key the key
   * @return the value as text
   */
  public Optional<String> text(String key) {
    return entries.stream().filter(entry -> entry.key.equals(key)).findFirst().map(Entry::text);
  }

  /**
   * Reports whether there are no pairs.
   *
   * @return whether there are no pairs
   */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** As the boundary has it: a count, then for each both lengths, key and value. */
  byte[] packed() {
    if (entries.isEmpty()) {
      return Answer.NO_BYTES;
    }
    List<byte[]> keys = new ArrayList<>();
    int size = Integer.BYTES;
    for (Entry entry : entries) {
      byte[] key = Text.encode(entry.key);
      keys.add(key);
      size = Math.addExact(size, 2 * Integer.BYTES + key.length + entry.value.length);
    }
    ByteBuffer packed = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    packed.putInt(entries.size());
    for (int index = 0; index < keys.size(); index++) {
      byte[] value = entries.get(index).value;
      packed.putInt(keys.get(index).length).putInt(value.length).put(keys.get(index)).put(value);
    }
    return packed.array();
  }

  /** The other way; the core has checked it. */
  static Metadata unpacked(byte[] bytes) {
    if (bytes.length == 0) {
      return EMPTY;
    }
    ByteBuffer packed = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    List<Entry> entries = new ArrayList<>();
    for (int left = packed.getInt(); left > 0; left--) {
      byte[] key = new byte[packed.getInt()];
      byte[] value = new byte[packed.getInt()];
      packed.get(key).get(value);
      entries.add(new Entry(new String(key, StandardCharsets.UTF_8), value));
    }
    return new Metadata(List.copyOf(entries));
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}

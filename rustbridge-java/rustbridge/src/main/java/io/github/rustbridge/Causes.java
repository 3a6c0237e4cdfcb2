package io.github.rustbridge;

import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The application's exceptions that were reported to plugins.
 *
 * <p>A plugin receives the name under which an exception is stored here. If it fails because of
 * that exception, its error contains the name. So the exception becomes the cause of the one that
 * the caller catches.
 */
final class Causes {
  /** How many are kept at most: a plugin may never send one back. */
  static final int LIMIT = 256;

  private static final long NANOS = 60_000_000_000L;

  /** What stands before a name in a payload. */
  private static final byte[] KEY = "\"cause\":\"".getBytes(StandardCharsets.US_ASCII);

  /** Another binding in this process has names of its own. */
  private static final String PREFIX = UUID.randomUUID() + "-";

  /** Oldest first. */
  private static final Map<String, CauseEntry> KEPT = new LinkedHashMap<>();

  private static long last;

  /** Whether any were ever kept; until then no payload is searched. */
  private static volatile boolean any;

  /** Soft, as its class may be of an application that is gone. */
  private record CauseEntry(SoftReference<Throwable> thrown, long since) {}

  private Causes() {}

  /** Keeps an exception; gives its name. */
  static String keep(Throwable thrown) {
    long now = System.nanoTime();
    synchronized (KEPT) {
      any = true;
      String name = PREFIX + ++last;
      KEPT.put(name, new CauseEntry(new SoftReference<>(thrown), now));
      for (Iterator<CauseEntry> oldest = KEPT.values().iterator(); oldest.hasNext(); ) {
        if (oldest.next().since() > now - NANOS && KEPT.size() <= LIMIT) {
          break;
        }
        oldest.remove();
      }
      return name;
    }
  }

  /** Gives the exception that a payload names, which is kept no longer; null if it names none. */
  static Throwable take(byte[] payload) {
    if (!any) {
      return null;
    }
    String name = named(payload);
    if (name == null) {
      return null;
    }
    synchronized (KEPT) {
      CauseEntry kept = KEPT.remove(name);
      return kept == null ? null : kept.thrown().get();
    }
  }

  /** The last is it, as plugins write it behind everything else. Any that isn't ours isn't kept. */
  private static String named(byte[] payload) {
    for (int at = payload.length - KEY.length; at > 0; at--) {
      if (payload[at] == '"' && begins(payload, at)) {
        int from = at + KEY.length;
        int to = from;
        while (to < payload.length && payload[to] != '"') {
          to++;
        }
        return new String(payload, from, to - from, StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  private static boolean begins(byte[] payload, int at) {
    for (int index = 0; index < KEY.length; index++) {
      if (payload[at + index] != KEY[index]) {
        return false;
      }
    }
    return true;
  }
}

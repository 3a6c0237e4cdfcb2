package io.github.rustbridge;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The methods of an instance that are called by name, each resolved at its first call. */
final class MethodsByName {
  private static final Found NOTHING = new Found(null, null);

  private final Plugin plugin;
  private final boolean json;
  private final Map<String, Method> methods = new ConcurrentHashMap<>();

  // What was found last, for callers that use one method mostly, by a literal. Races are harmless:
  // the pair is immutable, and a stale one is as good.
  private Found last = NOTHING;

  private record Found(String name, Method method) {}

  /**
   * Makes an empty set.
   *
   * @param plugin whose methods they are
   * @param json whether they are called with JSON, and else with bytes
   */
  MethodsByName(Plugin plugin, boolean json) {
    this.plugin = plugin;
    this.json = json;
  }

  @SuppressWarnings("ReferenceEquality")
  Method get(String name) {
    Found found = last;
    // By identity: names are literals mostly, and comparing their characters is what the map does
    // as well.
    return found.name == name && name != null ? found.method : find(name);
  }

  private Method find(String name) {
    Objects.requireNonNull(name, "method");
    Method method = methods.get(name);
    if (method == null) {
      method = json ? plugin.method(name, Encoding.JSON) : plugin.bytesMethod(name);
      Method faster = methods.putIfAbsent(name, method);
      method = faster == null ? method : faster;
    }
    last = new Found(name, method);
    return method;
  }
}

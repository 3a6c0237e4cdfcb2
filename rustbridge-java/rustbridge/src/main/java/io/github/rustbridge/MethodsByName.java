package io.github.rustbridge;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The methods of an instance that are called by name, each resolved at its first call. */
final class MethodsByName {
  private static final NamedMethod NOTHING = new NamedMethod(null, null);

  private final Plugin plugin;
  private final boolean json;
  private final Map<String, Method> methods = new ConcurrentHashMap<>();

  // What was found last, for callers that use one method mostly, by a literal. Races are harmless:
  // the pair is immutable, and a stale one is as good.
  private NamedMethod last = NOTHING;

  private record NamedMethod(String name, Method method) {}

  /**
   * Creates an empty set.
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
    NamedMethod found = last;
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
    last = new NamedMethod(name, method);
    return method;
  }
}

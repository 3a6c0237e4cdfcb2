package io.github.rustbridge.tests.conformance;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What an instance's plugin may call. */
final class Services {
  private final Supplier<Plugin> plugin;
  private final List<UnaryOperator<PluginConfig>> declared = new ArrayList<>();
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("ArrayRecordComponent")
  private record Asked(String service, byte[] request) {}

  Services(Supplier<Plugin> plugin) {
    this.plugin = plugin;
  }

  /** Declares one, whose only answer is what's given. */
  void add(String name, Encoding encoding, int mode, int status, byte[] answer) {
    if (mode == 1 || mode == 2) {
      declared.add(config ->
          config.rawAsyncService(
              name,
              encoding,
              (request, call) -> {
                asked.add(new Asked(name, request));
                return mode == 1 ? later(status, answer) : new CompletableFuture<>();
              }));
      return;
    }
    declared.add(config ->
        config.rawService(
            name,
            encoding,
            (request, call) -> {
              asked.add(new Asked(name, request));
              return answered(encoding, mode, status, answer, request);
            }));
  }

  private static CompletionStage<byte[]> later(int status, byte[] answer) {
    return CompletableFuture.supplyAsync(
        () -> {
          if (status != 0) {
            throw PluginException.of(status, answer);
          }
          return answer;
        },
        CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS));
  }

  private byte[] answered(Encoding encoding, int mode, int status, byte[] answer, byte[] request) {
    switch (mode) {
      case 4:
        return plugin.get().method(Testee.string(answer), encoding).callRawBytes(request);
      case 5:
        throw new IllegalStateException("thrown");
      case 6:
        plugin.get().close();
        return answer;
      default:
        if (status != 0) {
          throw PluginException.of(status, answer);
        }
        return answer;
    }
  }

  PluginConfig registered(PluginConfig config) {
    PluginConfig registered = config;
    for (UnaryOperator<PluginConfig> each : declared) {
      registered = each.apply(registered);
    }
    return registered;
  }

  /** What was asked since this was asked last. */
  byte[] asked() {
    Pending.Bytes bytes = new Pending.Bytes();
    for (Asked each = asked.poll(); each != null; each = asked.poll()) {
      bytes.bytes(Testee.utf8(each.service)).bytes(each.request);
    }
    return bytes.all();
  }
}

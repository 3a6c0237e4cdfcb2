package example;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Loads hello-plugin, and calls it with objects, text and a struct.
 *
 * <p>Usage: Hello PATH-OF-THE-PLUGIN.
 */
public final class Hello {
  record Greet(String name) {}

  record Greeting(String greeting) {}

  public static void main(String[] arguments) {
    PluginConfig config =
        PluginConfig.json("{\"first_user\": 100}")
            .logLevel(LogLevel.DEBUG)
            .logListener(log -> System.out.println(log.level() + " " + log.message()));
    try (Plugin hello = Plugin.load(Path.of(arguments[0]), config)) {
      System.out.println(hello.call("greet", new Greet("Ada"), Greeting.class).greeting());
      System.out.println(hello.call("echo", "{\"message\":\"Hi\"}"));

      ByteBuffer numbers = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
      byte[] request = numbers.putLong(40).putLong(2).array();
      byte[] sum = hello.method("math.add", Encoding.POD).callRawBytes(request);
      System.out.println(ByteBuffer.wrap(sum).order(ByteOrder.nativeOrder()).getLong());

      hello.call("user.create", "{\"username\":\"ada\",\"email\":\"ada@example.com\"}");
      hello.flushLogs(Duration.ofSeconds(1));

      try {
        hello.call("math.add", "{\"a\":9223372036854775807,\"b\":1}");
      } catch (PluginException error) {
        System.out.println(error.status() + ": " + error.getMessage() + " " + error.details());
      }
    }
  }
}

import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import java.nio.file.Path;

/** Calls hello-plugin with what is on the class path and nothing else: the library has to come out of a jar. */
public final class LoadsAPlugin {
  public static void main(String[] arguments) {
    try (Plugin hello = Plugin.load(Path.of(arguments[0]), PluginConfig.defaults())) {
      System.out.println(hello.backend() + ": " + hello.call("greet", "{\"name\":\"Ada\"}"));
    }
  }
}

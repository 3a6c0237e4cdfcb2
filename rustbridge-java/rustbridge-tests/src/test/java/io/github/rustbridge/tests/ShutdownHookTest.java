package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.rustbridge.Plugin;
import java.time.Duration;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a plugin logs while a shutdown hook closes it: the guide says how nothing of it is lost. */
@Timeout(500)
class ShutdownHookTest {
  private static final String SAID = "a record of the plugin";

  /** As in the guide. */
  public static class LateLogManager extends LogManager {
    private boolean isEnding;

    /** Keeps the handlers when the JVM's own hook would take them away. */
    @Override
    public void reset() {
      if (!isEnding) {
        super.reset();
      }
    }

    void keepHandlers() {
      getLogger("").getHandlers(); // Those of the root are made when they are first needed.
      isEnding = true;
    }

    void end() {
      isEnding = false;
      reset();
    }
  }

  static class ClosedByAHook implements Scenario {
    @Override
    public void run() {
      Plugin plugin = Plugins.load("conformance-plugin", Plugins.labelled("last"));
      say(plugin);
      plugin.flushLogs(Duration.ofSeconds(60));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(plugin)));
      if (LogManager.getLogManager() instanceof LateLogManager logging) {
        logging.keepHandlers();
      }
    }

    private static void say(Plugin plugin) {
      plugin.call("log.emit", "{\"level\":\"INFO\",\"message\":\"" + SAID + "\",\"count\":1}");
    }

    private static void close(Plugin plugin) {
      try {
        // Where the JVM's own hook takes the handlers away, it's over by then.
        for (int i = 0; i < 50 && Logger.getLogger("").getHandlers().length > 0; i++) {
          Thread.sleep(10);
        }
      } catch (InterruptedException stop) {
        return;
      }
      say(plugin);
      plugin.close();
      if (LogManager.getLogManager() instanceof LateLogManager logging) {
        logging.end();
      }
    }
  }

  @Test
  void a_log_manager_that_waits_gets_the_last_records() {
    ForkedJvm late =
        ForkedJvm.of(ClosedByAHook.class)
            .property("java.util.logging.manager", LateLogManager.class.getName());
    String output = late.succeeds();
    assertEquals(2, output.split(SAID, -1).length - 1, output);
  }

  @Test
  void the_jvms_own_log_manager_loses_them() {
    String output = ForkedJvm.of(ClosedByAHook.class).succeeds();
    assertEquals(1, output.split(SAID, -1).length - 1, output);
  }
}

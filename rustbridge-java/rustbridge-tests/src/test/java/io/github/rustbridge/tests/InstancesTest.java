package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several plugins and several instances at once: they share nothing. */
class InstancesTest {
  @Test
  void instances_of_one_plugin_keep_their_state_apart() {
    List<Plugin> plugins = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      plugins.add(Plugins.load("conformance-plugin", Plugins.labelled("i" + number)));
    }
    for (int round = 1; round <= 5; round++) {
      for (int number = 0; number < plugins.size(); number++) {
        assertEquals(
            "{\"total\":" + number * round + "}",
            plugins.get(number).call("state.add", "{\"n\":" + number + "}"));
      }
    }
    for (int number = 0; number < plugins.size(); number++) {
      assertEquals(
          "{\"label\":\"i" + number + "\",\"limit\":null,\"tags\":[],\"mode\":\"fast\"}",
          plugins.get(number).call("state.config", "null"));
    }
    for (int number = 0; number < plugins.size(); number++) {
      plugins.get(number).close();
      for (int other = number + 1; other < plugins.size(); other++) {
        assertEquals(State.ACTIVE, plugins.get(other).state());
      }
    }
  }

  @Test
  void different_plugins_work_side_by_side() {
    Plugin hello = Plugins.hello();
    try (Plugin conformance = Plugins.conformance();
        Plugin fault = Plugins.fault()) {
      Method add = hello.method("math.add", Encoding.POD);
      Method add32 = conformance.method("pod.add32", Encoding.POD);
      Method echo = fault.method("raw.echo", Encoding.RAW);
      byte[] request = {40, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
      for (int round = 0; round < 100; round++) {
        assertArrayEquals(new byte[] {42, 0, 0, 0, 0, 0, 0, 0}, add.callRawBytes(request));
        assertArrayEquals(
            new byte[] {5, 0, 0, 0, 1, 0, 0, 0},
            add32.callRawBytes(new byte[] {2, 0, 0, 0, 3, 0, 0, 0}));
        assertArrayEquals(request, echo.callRawBytes(request));
      }
      fails(Status.NOT_FOUND, () -> hello.method("pod.add32", Encoding.POD));
      hello.close();
      fails(Status.UNAVAILABLE, () -> add.callRawBytes(request));
      assertArrayEquals(request, echo.callRawBytes(request));
    }
  }

  @Test
  void an_instance_with_a_copy_of_its_own_shares_not_even_statics() {
    try (Plugin first = Plugins.fault();
        Plugin second = Plugins.fault();
        Plugin own =
            Plugins.load(
                "fault-plugin", PluginConfig.defaults().ownCopy().logLevel(LogLevel.OFF))) {
      String created = first.call("created", "null");
      assertEquals(created, second.call("created", "null"));
      assertEquals("{\"n\":1}", own.call("created", "null"));
    }
  }

  @Test
  void a_handle_is_not_issued_again() {
    long before;
    try (Plugin plugin = Plugins.hello()) {
      before = plugin.handle();
    }
    for (int round = 0; round < 1_000; round++) {
      try (Plugin plugin = Plugins.hello()) {
        assertNotEquals(before, plugin.handle());
      }
    }
  }
}

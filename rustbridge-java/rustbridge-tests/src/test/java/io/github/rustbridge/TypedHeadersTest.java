package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Headers of methods with types, by one that is put together by hand: its types are texts. */
@Timeout(60)
class TypedHeadersTest {
  private static final String HI = "{\"text\":\"Hi\"}";
  private static final CallOptions SILENT = CallOptions.defaults().withMetadata("a", "1");

  private final List<String> told = new ArrayList<>();
  private final CallOptions asking = SILENT.withHeaders(headers -> told.add(headers.toString()));

  private static final class Client extends TypedClient {
    private Client(Plugin plugin) {
      super(plugin, false);
    }

    private TypedMethod<String, String> untyped(Plugin plugin, String name, int length) {
      return new TypedMethod<>(
          this, plugin.method(name), 0, Client::write, in -> read(in, length), null);
    }

    private static void write(WireWriter out, String text) {
      for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
        out.i8(each);
      }
    }

    private static String read(WireReader in, int length) {
      StringBuilder text = new StringBuilder();
      for (int place = 0; place < length; place++) {
        text.append((char) in.u8());
      }
      return text.toString();
    }
  }

  @Test
  void calls_with_types_tell_of_them() {
    try (Plugin plugin = Plugins.operations();
        Client client = new Client(plugin)) {
      for (String name : List.of("headers.now", "headers.soon")) {
        TypedMethod<String, String> method = client.untyped(plugin, name, HI.length());
        assertEquals(HI, method.call(HI, asking));
        assertEquals(HI, method.callAsync(HI, asking).join());
        assertEquals(HI, method.callAsync(HI, SILENT).join());
        assertEquals(List.of("[a=1]", "[a=1]"), told);
        told.clear();
      }
      TypedMethod<String, String> refuse = client.untyped(plugin, "headers.refuse", 4);
      PluginException error =
          assertThrows(
              PluginException.class, () -> refuse.call("{\"status\":7,\"why\":\"no\"}", asking));
      assertEquals("[a=1]", error.headers().toString());
      assertEquals("[a=1]", new OfItsOwn(error).headers().toString());
      TypedMethod<String, String> trailing = client.untyped(plugin, "call.refuse", 4);
      PluginException refused =
          assertThrows(
              PluginException.class, () -> trailing.call("{\"status\":7,\"why\":\"no\"}", SILENT));
      assertEquals("[refused=no]", refused.trailers().toString());
      assertEquals("[refused=no]", new OfItsOwn(refused).trailers().toString());
    }
  }

  /** As {@code rustbridge gen} writes them. */
  private static final class OfItsOwn extends PluginException {
    private static final long serialVersionUID = 1L;

    OfItsOwn(PluginException failed) {
      super(failed);
    }
  }

  @Test
  void streams_with_types_have_them() {
    try (Plugin plugin = Plugins.operations();
        Client client = new Client(plugin)) {
      TypedMethod<String, String> method = client.untyped(plugin, "headers.items", 1);
      try (Items<String> items = method.iterate("{\"from\":0,\"to\":3}", asking)) {
        assertEquals("[a=1]", items.headers().toString());
        assertEquals("0", items.next());
      }
      assertEquals(List.of("[a=1]"), told);
    }
  }
}

package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Headers of methods with types, by one that is put together by hand: its types are texts. */
@Timeout(60)
class TypedHeadersTest {
  private static final String HI = "{\"text\":\"Hi\"}";
  private static final CallOptions SILENT = CallOptions.defaults().withMetadata("a", "1");

  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final CallOptions asking = SILENT.withHeaders(headers -> told.add(headers.toString()));

  private static final class Client extends TypedClient {
    private Client(Plugin plugin) {
      super(plugin, false);
    }

    private TypedMethod<String, String> untyped(Plugin plugin, String name, int length) {
      return new TypedMethod<>(
          this, null, plugin.method(name), 0, Client::write, in -> read(in, length), null);
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
      super(failed, null);
    }
  }

  @Test
  void calls_with_types_pass_on_their_trailers() {
    try (Plugin plugin = Plugins.operations();
        Client client = new Client(plugin)) {
      CallOptions trailing = SILENT.withTrailers(trailers -> told.add(trailers.toString()));
      for (String name : List.of("call.carried", "call.carried_later")) {
        String carried = plugin.method(name).call("null", SILENT);
        TypedMethod<String, String> method = client.untyped(plugin, name, carried.length());
        assertEquals(carried, method.call("null", trailing));
        assertEquals(carried, method.callAsync("null", trailing).join());
        assertEquals(List.of("[a=1]", "[a=1]"), told);
        told.clear();
        CallOptions failing =
            SILENT.withTrailers(trailers -> {
              throw new IllegalStateException(trailers.toString());
            });
        IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> method.call("null", failing));
        assertEquals("[a=1]", thrown.getMessage());
      }
      TypedMethod<String, String> refuse = client.untyped(plugin, "call.refuse", 4);
      assertThrows(
          PluginException.class, () -> refuse.call("{\"status\":7,\"why\":\"no\"}", trailing));
      assertEquals(List.of("[refused=no]"), told);
      told.clear();
      TypedMethod<String, String> items = client.untyped(plugin, "trailers.items", 1);
      String request = "{\"from\":0,\"to\":3}";
      List<String> came = new ArrayList<>();
      items.iterate(request, trailing).forEachRemaining(came::add);
      assertEquals(List.of("0", "1", "2"), came);
      assertEquals(List.of("[a=1]"), told);
      CompletableFuture<Void> done = new CompletableFuture<>();
      items.publish(request, trailing).subscribe(new All(done));
      done.join();
      assertEquals(List.of("[a=1]", "[a=1]"), told);
      TypedMethod<String, String> greet = client.untyped(plugin, "headers.now", HI.length());
      assertEquals(HI, greet.call(HI, trailing));
      assertEquals(2, told.size());
    }
  }

  /** Takes all items, and notes that they have ended. */
  private record All(CompletableFuture<Void> done) implements Flow.Subscriber<String> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String item) {}

    @Override
    public void onError(Throwable thrown) {
      done.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      done.complete(null);
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

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.ServiceCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * The shop's host in Java: calls methods of a basket, serves prices, follows a parcel, and cancels
 * a delivery. JSON is passed as text, so that no JSON library is needed.
 *
 * <p>Usage: ShopHost {ffm,jni} PATH-OF-SHOP-PLUGIN, with {@code -Drustbridge.backend} set to the
 * same backend.
 */
public final class ShopHost {
  private static final long BEGAN = System.nanoTime();

  private final String transport;

  private ShopHost(String transport) {
    this.transport = transport;
  }

  public static void main(String[] arguments) throws InterruptedException {
    boolean ffm = arguments[0].equals("ffm");
    new ShopHost(ffm ? "FFM" : "JNI").show(Path.of(arguments[1]));
  }

  private void show(Path path) throws InterruptedException {
    PluginConfig config =
        PluginConfig.defaults()
            .logLevel(LogLevel.INFO)
            .logListener(record -> tell("log", record.message()))
            .rawService("prices.of", Encoding.JSON, this::price);
    try (Plugin shop = Plugin.load(path, config)) {
      object(shop);
      stream(shop);
      cancel(shop);
      shop.flushLogs(Duration.ofSeconds(1));
    }
  }

  /** The plugin calls this service, on any thread on which the plugin's code runs. */
  private byte[] price(byte[] request, ServiceCall call) {
    String article = new String(request, StandardCharsets.UTF_8).replace("\"", "");
    int cents = article.equals("bread") ? 250 : 120;
    tell("callback", "the plugin asks the host for the price of " + article + ": " + cents);
    return Integer.toString(cents).getBytes(StandardCharsets.UTF_8);
  }

  /** An object is a value that stays in the plugin. Closing it releases it. */
  private void object(Plugin shop) {
    byte[] nothing = {};
    try (PluginObject basket =
        shop.method("enter").callForReply(nothing, CallOptions.defaults()).object()) {
      for (String article : new String[] {"bread", "milk"}) {
        String count = basket.call("Basket.put", "\"" + article + "\"");
        tell("object", article + " is put into the basket, which holds " + count);
      }
      tell("object", "the basket costs " + basket.call("Basket.total", "") + " in all");
    }
  }

  /** A stream delivers each item as soon as it's ready. The window allows one item at a time. */
  private void stream(Plugin shop) {
    CallOptions slowly = CallOptions.defaults().withWindow(1, 1024);
    byte[] parcel = "7".getBytes(StandardCharsets.UTF_8);
    try (Items<byte[]> places = shop.method("follow").iterateRaw(parcel, slowly)) {
      for (byte[] place : places) {
        tell("stream", new String(place, StandardCharsets.UTF_8).replace("\"", ""));
      }
    }
    tell("stream", "that was the last");
  }

  /**
   * A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it
   * waits.
   */
  private void cancel(Plugin shop) throws InterruptedException {
    CompletableFuture<String> delivery = shop.method("deliver").callAsync("60");
    tell("cancel", "a delivery begins that takes an hour");
    Thread.sleep(20);
    delivery.cancel(true);
    try {
      delivery.join();
    } catch (CancellationException cancelled) {
      tell("cancel", "its future is cancelled, and ends: " + cancelled.getClass().getSimpleName());
    }
  }

  /** Prints an event, and the time since the program started. */
  private void tell(String what, String text) {
    long at = (System.nanoTime() - BEGAN) / 1_000_000;
    System.out.println(
        "{\"host\":\"Java\",\"transport\":\"%s\",\"happened\":\"%s\",\"text\":\"%s\",\"at_ms\":%d}"
            .formatted(transport, what, text, at));
  }
}

package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Requests that other threads write to while a call reads them. */
class SharedRequestsTest {
  /**
   * How long each way is tried. Where the plugin gets the request itself, it answers with what is
   * no text within a tenth of that, if the JVM lives so long.
   */
  private static final long NANOS = 500_000_000;

  @Test
  void another_thread_may_write_to_a_request_meanwhile() {
    ForkedJvm.of(Changing.class).optimizing().succeeds();
  }

  static final class Changing implements Scenario {
    private static final byte[] TEXT = filled('a');
    private static final byte[] NO_TEXT = filled(0xbf);
    private volatile boolean over;
    private int answered;
    private int refused;

    private static byte[] filled(int value) {
      byte[] bytes = new byte[4_000];
      Arrays.fill(bytes, (byte) value);
      return bytes;
    }

    @Override
    public void run() throws InterruptedException {
      byte[] array = new byte[4_000];
      ByteBuffer direct = ByteBuffer.allocateDirect(4_000);
      Thread writer =
          new Thread(() -> {
            while (!over) {
              for (byte[] bytes : new byte[][] {TEXT, NO_TEXT}) {
                direct.put(0, bytes);
                System.arraycopy(bytes, 0, array, 0, array.length);
                // About as long as a call takes.
                for (int spin = 0; spin < 100; spin++) {
                  Thread.onSpinWait();
                }
              }
            }
          });
      writer.start();
      try (Plugin plugin = Plugins.conformance()) {
        Method text = plugin.method("raw.text", Encoding.RAW);
        Method leaf = plugin.method("leaf.json", Encoding.JSON);
        ByteBuffer storage = ByteBuffer.allocateDirect(20_000);
        byte[] bytes = new byte[20_000];
        often(() -> {
          text.callRaw(direct.clear(), storage.clear());
          checkText(storage.flip());
        });
        often(() -> {
          try (RawResponse response = text.callRawZeroCopy(direct.clear())) {
            checkText(response.buffer());
          }
        });
        often(() -> checkText(ByteBuffer.wrap(bytes, 0, text.callRaw(array, bytes))));
        often(() -> leaf.callRaw(array, bytes));
      } finally {
        over = true;
        writer.join();
      }
      System.out.println(answered + " were texts, and " + refused + " were none");
      assertTrue(answered > 0);
    }

    /** What passed for a text was one to its end, and so was its reverse. */
    private static void checkText(ByteBuffer answer) {
      assertEquals(ByteBuffer.wrap(TEXT), answer, "it was changed after it was checked");
    }

    private void often(Runnable call) {
      long start = System.nanoTime();
      while (System.nanoTime() - start < NANOS) {
        try {
          call.run();
          answered++;
        } catch (PluginException refusal) {
          assertEquals(Status.INVALID_ARGUMENT, refusal.status());
          refused++;
        }
      }
    }
  }

  @Test
  void who_promises_that_nobody_writes_gets_the_same_answers() {
    try (Plugin plugin = Plugins.conformance()) {
      for (String name : new String[] {"raw.echo", "raw.leaf"}) {
        Method echo = plugin.method(name, Encoding.RAW);
        for (int size : new int[] {0, 8, 5_000, 70_000, 2_000_000}) {
          byte[] data = new byte[size];
          for (int index = 0; index < size; index++) {
            data[index] = (byte) (index % 251);
          }
          ByteBuffer request = ByteBuffer.allocateDirect(size).put(data);
          ByteBuffer response = ByteBuffer.allocateDirect(size + 1);
          assertEquals(size, echo.callRawUnshared(request.flip(), response));
          assertEquals(size, request.position());
          assertEquals(size, response.position());
          assertEquals(request.rewind(), response.flip());
          try (RawResponse lease = echo.callRawZeroCopyUnshared(request)) {
            assertArrayEquals(data, lease.toByteArray());
          }
          assertEquals(size, request.position());
          // On top of the request itself.
          assertEquals(size, echo.callRawUnshared(request.rewind(), request.duplicate()));
          assertEquals(ByteBuffer.wrap(data), request.rewind());
        }
      }
    }
  }
}

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A Java host: loads a plugin, calls it, prints responses and log records, and times its calls
 * against bare calls.
 *
 * <p>Usage: Host {ffm,jni} PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR, with {@code -Drustbridge.backend}
 * set to the same backend.
 */
public final class Host {
  private static final int ROUNDS = 201;
  private static final int BATCH = 2_000;

  /** The time in which the JIT compiler finishes both loops. */
  private static final long WARM_UP_NANOS = 700_000_000;

  private static final String ECHO = "{\"message\":\"Hello, World!\"}";

  /** The sum of the timed calls' results, so that no call is optimised away. */
  private static long sink;

  private final String transport;

  private Host(String transport) {
    this.transport = transport;
  }

  /**
   * A loop around one kind of call. Each kind has its own loop, so that the JIT compiler knows the
   * target of the call.
   */
  private interface Loop {
    void run(int times);
  }

  public static void main(String[] arguments) {
    Path plugin = Path.of(arguments[1]);
    Path floor = Path.of(arguments[2]).toAbsolutePath();
    boolean ffm = arguments[0].equals("ffm");
    new Host(ffm ? "FFM" : "JNI").show(plugin, ffm ? new BareFfm(floor) : new BareJni(floor));
  }

  private void show(Path path, Bare bare) {
    PluginConfig config =
        PluginConfig.defaults().logLevel(LogLevel.TRACE).logListener(this::record);
    try (Plugin plugin = Plugin.load(path, config)) {
      answer(plugin, "user.create", "{\"username\":\"ada\",\"email\":\"ada@example.com\"}");
      plugin.flushLogs(Plugin.CLOSE_TIMEOUT);
      try {
        plugin.call("math.add", "{\"a\":" + Long.MAX_VALUE + ",\"b\":1}");
        throw new IllegalStateException("the sum fitted");
      } catch (PluginException error) {
        String kind = error.getClass().getSimpleName() + ": " + error.status();
        emit("event", "error", "text", kind + ": " + error.getMessage());
      }
      // Turn logging off, so that only the calls are timed.
      plugin.setLogLevel(LogLevel.OFF);
      answer(plugin, "greet", "{\"name\":\"Ada\"}");
      answer(plugin, "test.sleep", "{\"duration_ms\":5}");
      answer(plugin, "math.add", "{\"a\":20,\"b\":22}");
      answer(plugin, "bench.small", "{\"key\":\"bench_key\",\"flags\":1}");
      echo(plugin.method("echo"), bare);
      add(plugin.method("math.add", Encoding.POD), bare);
      small(plugin.method(1, Encoding.POD), bare);
    }
  }

  private void record(LogRecord record) {
    String text = record.level() + " " + record.target() + ": " + record.message();
    emit("event", "log", "text", text + " " + record.fields());
  }

  private void answer(Plugin plugin, String method, String request) {
    emit("method", method, "encoding", "json", "answer", plugin.call(method, request));
  }

  private void echo(Method echo, Bare bare) {
    Loop ours =
        times -> {
          for (int i = 0; i < times; i++) {
            sink += echo.call(ECHO).length();
          }
        };
    Loop floor =
        times -> {
          for (int i = 0; i < times; i++) {
            sink += bare.echo(ECHO).length();
          }
        };
    timed("echo", "json", echo.call(ECHO), bare.echo(ECHO), ours, floor, bare);
  }

  private void add(Method add, Bare bare) {
    byte[] request = struct(add.requestSize()).putLong(20).putLong(22).array();
    byte[] response = new byte[add.responseSize()];
    byte[] bareResponse = new byte[add.responseSize()];
    Loop ours =
        times -> {
          for (int i = 0; i < times; i++) {
            sink += add.callRaw(request, response);
          }
        };
    Loop floor =
        times -> {
          for (int i = 0; i < times; i++) {
            sink += bare.add(request, bareResponse);
          }
        };
    ours.run(1);
    floor.run(1);
    timed("math.add", "pod", sum(response), sum(bareResponse), ours, floor, bare);
  }

  private static String sum(byte[] response) {
    return "result " + struct(response).getLong(0);
  }

  private void small(Method small, Bare bare) {
    byte[] key = "bench_key".getBytes(StandardCharsets.UTF_8);
    ByteBuffer struct = struct(small.requestSize()).put(0, (byte) 1).put(4, key);
    byte[] request = struct.putInt(68, key.length).putInt(72, 1).array();
    byte[] response = new byte[small.responseSize()];
    byte[] bareResponse = new byte[small.responseSize()];
    Loop ours =
        times -> {
          for (int i = 0; i < times; i++) {
            sink += small.callRaw(request, response);
          }
        };
    Loop floor =
        times -> {
          for (int i = 0; i < times; i++) {
            sink += bare.small(request, bareResponse);
          }
        };
    ours.run(1);
    floor.run(1);
    timed("bench.small", "pod", found(response), found(bareResponse), ours, floor, bare);
  }

  private static String found(byte[] response) {
    ByteBuffer struct = struct(response);
    String value = new String(response, 4, struct.getInt(68), StandardCharsets.UTF_8);
    return "value " + value + ", ttl_seconds " + struct.getInt(72);
  }

  private static ByteBuffer struct(int size) {
    return struct(new byte[size]);
  }

  private static ByteBuffer struct(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  /**
   * Times both loops in alternating batches, so that both run under the same conditions, and prints
   * the medians.
   */
  private void timed(
      String method,
      String encoding,
      String answer,
      String bareAnswer,
      Loop ours,
      Loop floor,
      Bare bare) {
    if (!answer.equals(bareAnswer)) {
      throw new IllegalStateException(
          method + " answers " + answer + ", the bare call " + bareAnswer);
    }
    long end = System.nanoTime() + WARM_UP_NANOS;
    while (System.nanoTime() - end < 0) {
      batch(ours);
      batch(floor);
    }
    double[] mine = new double[ROUNDS];
    double[] theirs = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      mine[round] = batch(ours);
      theirs[round] = batch(floor);
    }
    Arrays.sort(mine);
    Arrays.sort(theirs);
    emit(
        "method",
        method,
        "encoding",
        encoding,
        "answer",
        answer,
        "bare",
        bare.name(),
        "ns",
        mine[ROUNDS / 2],
        "bare_ns",
        theirs[ROUNDS / 2]);
  }

  private static double batch(Loop loop) {
    long start = System.nanoTime();
    loop.run(BATCH);
    return (double) (System.nanoTime() - start) / BATCH;
  }

  /**
   * Prints one JSON object on a line, by a single write, because log records are printed on a log
   * thread.
   */
  private void emit(Object... fields) {
    StringBuilder line =
        new StringBuilder("{\"host\":\"Java\",\"transport\":").append(json(transport));
    for (int i = 0; i < fields.length; i += 2) {
      line.append(',').append(json(fields[i])).append(':').append(json(fields[i + 1]));
    }
    byte[] bytes = line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }

  private static String json(Object value) {
    if (value instanceof Number) {
      return value.toString();
    }
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toString().toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}

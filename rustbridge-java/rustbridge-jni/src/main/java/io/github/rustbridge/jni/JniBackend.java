package io.github.rustbridge.jni;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.spi.Backend;
import io.github.rustbridge.spi.Failures;
import io.github.rustbridge.spi.LoadRequest;
import io.github.rustbridge.spi.LogSink;
import io.github.rustbridge.spi.PreparedMethod;
import io.github.rustbridge.spi.Text;

/** The functions that aren't calls. Without state: the native library's is the process's. */
final class JniBackend implements Backend {
  static final String NAME = "jni";

  /** Length of what {@link Native#prepare} fills in. */
  private static final int PREPARED = 5;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String version() {
    return Native.version();
  }

  @Override
  public long load(LoadRequest request) {
    long[] out = new long[2];
    byte[] payload =
        Native.load(
            request.path(),
            request.image(),
            request.config(),
            request.name(),
            request.flags(),
            request.logLevel(),
            delivery(request.sink()),
            out);
    check(out, payload);
    return out[1];
  }

  @Override
  public byte[] describe(long handle) {
    long[] out = new long[1];
    return check(out, Native.describe(handle, out));
  }

  @Override
  public Method prepare(Plugin plugin, long handle, String name, Encoding encoding) {
    long[] out = new long[PREPARED];
    check(out, Native.prepare(handle, Text.encode(name), encoding.number(), out));
    return method(plugin, handle, name, encoding, out);
  }

  @Override
  public Method prepare(Plugin plugin, long handle, int id, Encoding encoding) {
    long[] out = new long[PREPARED];
    check(out, Native.prepareId(handle, id, encoding.number(), out));
    return method(plugin, handle, Integer.toUnsignedString(id), encoding, out);
  }

  private static Method method(
      Plugin plugin, long handle, String name, Encoding encoding, long[] out) {
    return new JniMethod(
        PreparedMethod.of(
            plugin, name, encoding, handle, (int) out[1], (int) out[2], out[3], out[4]));
  }

  @Override
  public int state(long handle) {
    int state = Native.state(handle);
    if (state < 0) {
      throw Failures.of(-state, new byte[0]);
    }
    return state;
  }

  @Override
  public void close(long handle, long timeoutMillis) {
    long[] out = new long[1];
    check(out, Native.close(handle, timeoutMillis, out));
  }

  @Override
  public int setLogLevel(long handle, int level) {
    return Native.setLogLevel(handle, level);
  }

  @Override
  public int setLogSink(long handle, LogSink sink) {
    return Native.setLogSink(handle, delivery(sink));
  }

  @Override
  public int flushLogs(long handle, long timeoutMillis) {
    return Native.flushLogs(handle, timeoutMillis);
  }

  @Override
  public byte[] inspect() {
    long[] out = new long[1];
    return check(out, Native.inspect(out));
  }

  private static LogDelivery delivery(LogSink sink) {
    return sink == null ? null : new LogDelivery(sink);
  }

  /** Gives the answer back, unless it's the payload of a failure. */
  private static byte[] check(long[] out, byte[] answer) {
    if (out[0] != 0) {
      throw Failures.of((int) out[0], answer);
    }
    return answer;
  }
}

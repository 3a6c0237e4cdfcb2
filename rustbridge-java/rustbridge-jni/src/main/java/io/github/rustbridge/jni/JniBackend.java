package io.github.rustbridge.jni;

import io.github.rustbridge.Backend;
import io.github.rustbridge.LoadRequest;
import io.github.rustbridge.LogSink;
import io.github.rustbridge.Method;
import io.github.rustbridge.PreparedMethod;
import io.github.rustbridge.spi.Failures;

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
  public Entry prepare(long handle, byte[] name, int encoding) {
    long[] out = new long[PREPARED];
    check(out, Native.prepare(handle, name, encoding, out));
    return entry(out, encoding);
  }

  @Override
  public Entry prepare(long handle, int id, int encoding) {
    long[] out = new long[PREPARED];
    check(out, Native.prepareId(handle, id, encoding, out));
    return entry(out, encoding);
  }

  private static Entry entry(long[] out, int encoding) {
    return new Entry((int) out[1], (int) out[2], encoding, out[3], out[4]);
  }

  @Override
  public Method method(PreparedMethod prepared) {
    return new JniMethod(prepared);
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

package io.github.rustbridge.jni;

import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.LogSink;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.spi.Failures;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** The functions that aren't calls. Without state: the native library's is the process's. */
final class JniBackend implements Backend<JniMethod> {
  static final String NAME = "jni";

  /** Length of what {@link Native#prepare} fills in. */
  private static final int PREPARED = 9;

  private static final byte[] NO_BYTES = {};

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
    List<LoadRequest.Service> services = request.services();
    ServiceDelivery[] deliveries = new ServiceDelivery[services.size()];
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    int[] facts = new int[3 * services.size()];
    for (int index = 0; index < deliveries.length; index++) {
      LoadRequest.Service service = services.get(index);
      deliveries[index] = new ServiceDelivery(service.sink());
      names.writeBytes(service.name());
      facts[3 * index] = service.encoding();
      facts[3 * index + 1] = service.name().length;
      facts[3 * index + 2] = service.flags();
    }
    byte[] payload =
        Native.load(
            request.path(),
            request.image(),
            request.config(),
            request.name(),
            request.flags(),
            request.logLevel(),
            request.logCapacity(),
            request.threads(),
            delivery(request.sink()),
            deliveries,
            names.toByteArray(),
            facts,
            request.clientSchema(),
            out);
    check(out, payload);
    return out[1];
  }

  @Override
  public byte[] instanceName(long handle) {
    long[] out = new long[1];
    return check(out, Native.name(handle, out));
  }

  @Override
  public byte[] describe(long handle) {
    long[] out = new long[1];
    return check(out, Native.describe(handle, out));
  }

  @Override
  public MethodEntry prepare(long handle, byte[] name, int encoding) {
    long[] out = new long[PREPARED];
    check(out, Native.prepare(handle, name, encoding, out));
    return entry(out);
  }

  @Override
  public MethodEntry prepare(long handle, int id, int encoding) {
    long[] out = new long[PREPARED];
    check(out, Native.prepareId(handle, id, encoding, out));
    return entry(out);
  }

  @Override
  public MethodEntry prepareTyped(
      long handle, byte[] name, byte[] fingerprint, byte[] clientSchema) {
    long[] out = new long[PREPARED];
    check(out, Native.prepareTyped(handle, name, fingerprint, clientSchema, out));
    return entry(out);
  }

  private static MethodEntry entry(long[] out) {
    return new MethodEntry(
        (int) out[1], (int) out[2], (int) out[3], out[4], out[5], out[6], out[7], out[8]);
  }

  @Override
  public JniMethod method(CallTarget target) {
    return new JniMethod(target);
  }

  @Override
  public Natives natives() {
    return OperationNatives.ALL;
  }

  @Override
  public int state(long handle) {
    long[] out = new long[2];
    check(out, Native.state(handle, out));
    return (int) out[1];
  }

  @Override
  public void close(long handle, long timeoutMillis) {
    long[] out = new long[1];
    check(out, Native.close(handle, timeoutMillis, out));
  }

  @Override
  public void setLogLevel(long handle, int level) {
    long[] out = new long[1];
    check(out, Native.setLogLevel(handle, level, out));
  }

  @Override
  public void setLogSink(long handle, LogSink sink, long timeoutMillis) {
    long[] out = new long[1];
    check(out, Native.setLogSink(handle, delivery(sink), timeoutMillis, out));
  }

  @Override
  public void flushLogs(long handle, long timeoutMillis) {
    long[] out = new long[1];
    check(out, Native.flushLogs(handle, timeoutMillis, out));
  }

  @Override
  public byte[] inspect() {
    long[] out = new long[1];
    return check(out, Native.inspect(out));
  }

  private static LogDelivery delivery(LogSink sink) {
    return sink == null ? null : new LogDelivery(sink);
  }

  /**
   * Gives the answer back, unless it's the payload of a failure. One that is empty comes as null.
   */
  private static byte[] check(long[] out, byte[] answer) {
    byte[] bytes = answer == null ? NO_BYTES : answer;
    if (out[0] != 0) {
      throw Failures.of((int) out[0], bytes);
    }
    return bytes;
  }
}

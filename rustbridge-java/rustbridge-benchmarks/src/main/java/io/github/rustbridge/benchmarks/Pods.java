package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.ffm.SegmentMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;

/** Calls with one C struct each way. The scenario itself is an array in and a new array out. */
public abstract class Pods extends Scenario {
  Method method;
  byte[] request;
  byte[] response;

  /** Prepares a method and memory for it. */
  void pod(String transport, String library, String name, byte[] bytes) {
    plugin = Libraries.plugin(transport, library);
    method = plugin.method(name, Encoding.POD);
    request = bytes;
    response = new byte[method.responseSize()];
  }

  @Override
  protected void forget() {
    java.util.Arrays.fill(response, (byte) 0xaa);
  }

  /** From array to new array. */
  @Benchmark
  public byte[] ours() {
    return method.callRawBytes(request);
  }

  /** The same over FFM, and from segment to segment, both the caller's. */
  public abstract static class Ffm extends Pods {
    final FfmFloor.Scratch scratch = new FfmFloor.Scratch();
    SegmentMethod segments;
    MemorySegment requestSegment;
    MemorySegment responseSegment;

    void pod(String library, String name, byte[] bytes) {
      pod("ffm", library, name, bytes);
      segments = SegmentMethod.of(method);
      // The thread's own, as a caller's would be.
      Arena arena = Arena.ofConfined();
      requestSegment = arena.allocate(request.length, 8).copyFrom(MemorySegment.ofArray(request));
      responseSegment = arena.allocate(response.length, 8);
    }

    @Override
    protected void forget() {
      super.forget();
      responseSegment.fill((byte) 0xaa);
    }

    /** From segment to segment. */
    @Benchmark
    public MemorySegment segment_ours() {
      segments.callRaw(requestSegment, responseSegment);
      return responseSegment;
    }
  }

  /** The same over JNI. */
  public abstract static class Jni extends Pods {
    final JniFloor.Scratch scratch = new JniFloor.Scratch();

    void pod(String library, String name, byte[] bytes) {
      pod("jni", library, name, bytes);
    }
  }
}

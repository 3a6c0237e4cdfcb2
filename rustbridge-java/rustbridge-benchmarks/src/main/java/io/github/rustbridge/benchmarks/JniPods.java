package io.github.rustbridge.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Structs over JNI, with their floors. */
public final class JniPods {
  private JniPods() {}

  /** A leaf with two numbers each way: the smallest call that carries anything. */
  public static class Pair extends Pods.Jni {
    @Param("pod 8/8")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      pod("conformance_plugin", "pod.add32", Payloads.ints(20, 22));
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      scratch.put(request);
      return scratch.get(JniFloor.pod8(scratch.request, 8, scratch.response, 8));
    }

    /** Into the caller's array. */
    @Benchmark
    public byte[] intoArray_ours() {
      method.callRaw(request, response);
      return response;
    }

    /** By hand. */
    @Benchmark
    public byte[] intoArray_floor() {
      scratch.put(request);
      return scratch.get(JniFloor.pod8(scratch.request, 8, scratch.response, 8), response);
    }
  }

  /** A method that isn't a leaf; JNI has one way for all. */
  public static class Nested extends Pods.Jni {
    @Param("pod 32/32, ordinary")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      pod("conformance_plugin", "pod.nested", Payloads.ints(1, 2, 3, 4, 5, 6, 7, 8));
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      scratch.put(request);
      return scratch.get(JniFloor.nested(scratch.request, 32, scratch.response, 32));
    }
  }

  /** A struct of 268 bytes. */
  public static class Big extends Pods.Jni {
    @Param("pod 268/272")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      pod("conformance_plugin", "pod.big", Payloads.big());
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      scratch.put(request);
      return scratch.get(JniFloor.big(scratch.request, 268, scratch.response, 272));
    }
  }

  /** The example that users start from, in its pod encoding. */
  public static class Add extends Pods.Jni {
    @Param("math.add 16/8")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      pod("hello_plugin", "math.add", Payloads.ints(123_456_789, 0, 987_654_321, 0));
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      scratch.put(request);
      return scratch.get(JniFloor.add16(scratch.request, 16, scratch.response, 8));
    }
  }
}

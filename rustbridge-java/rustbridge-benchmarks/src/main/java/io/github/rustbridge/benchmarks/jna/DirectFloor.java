package io.github.rustbridge.benchmarks.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * The functions of benches/floor by JNA's direct mapping, its fast way: native methods whose code
 * JNA makes at run time. Small arrays go as arrays; texts come back through memory that is kept.
 */
final class DirectFloor {
  static {
    Native.register(DirectFloor.class, FloorLibrary.library());
  }

  private DirectFloor() {}

  static native int empty(
      long handle,
      int id,
      Pointer request,
      long length,
      Pointer response,
      long capacity,
      Pointer responseLength);

  static native int small(
      long handle,
      int id,
      byte[] request,
      long length,
      byte[] response,
      long capacity,
      Pointer responseLength);

  static native int div(
      long handle,
      int id,
      byte[] request,
      long length,
      byte[] response,
      long capacity,
      Pointer responseLength);

  static native int answer(
      long handle,
      int id,
      byte[] request,
      long length,
      byte[] response,
      long capacity,
      Pointer responseLength);

  static native int sum(
      long handle,
      int id,
      long[] request,
      long length,
      byte[] response,
      long capacity,
      Pointer responseLength);

  static native int blob(
      long handle,
      int id,
      byte[] request,
      long length,
      byte[] response,
      long capacity,
      Pointer responseLength);

  static native int echoJson(
      long handle,
      int id,
      byte[] request,
      long length,
      Pointer response,
      long capacity,
      Pointer responseLength);

  static native int join(
      long handle,
      int id,
      byte[] request,
      long length,
      Pointer response,
      long capacity,
      Pointer responseLength);
}

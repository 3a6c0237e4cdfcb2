package io.github.rustbridge.benchmarks.jna;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.github.rustbridge.benchmarks.Libraries;
import java.util.Locale;
import java.util.Map;

/**
 * The functions of benches/floor by JNA's interface mapping, which makes a proxy of it: each call
 * is found by reflection.
 */
interface FloorLibrary extends Library {
  /** JNA finds {@code floor_echo_json} for {@code echoJson}. */
  Map<String, Object> OPTIONS =
      Map.of(
          Library.OPTION_FUNCTION_MAPPER,
          (com.sun.jna.FunctionMapper)
              (library, method) ->
                  "floor_"
                      + method.getName().replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT));

  /** The library as a proxy. */
  FloorLibrary INSTANCE =
      Native.load(Libraries.find("floor").toString(), FloorLibrary.class, OPTIONS);

  /** The library for direct mapping. */
  static NativeLibrary library() {
    return NativeLibrary.getInstance(Libraries.find("floor").toString(), OPTIONS);
  }

  int empty(
      long handle,
      int id,
      Pointer request,
      long length,
      Pointer response,
      long capacity,
      Pointer responseLength);

  int small(
      long handle,
      int id,
      byte[] request,
      long length,
      byte[] response,
      long capacity,
      Pointer responseLength);

  int echoJson(
      long handle,
      int id,
      byte[] request,
      long length,
      Pointer response,
      long capacity,
      Pointer responseLength);
}

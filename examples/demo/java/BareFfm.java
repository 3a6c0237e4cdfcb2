import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The bare calls through java.lang.foreign: heap arrays and {@code critical} for the leaf methods,
 * reused native memory for the other method.
 */
final class BareFfm extends Bare {
  private static final int CAPACITY = 4096;

  /**
   * The path of the floor's library. It's static because the handles of {@link Functions} are
   * constants, and the path is known only at run time.
   */
  private static Path library;

  /** Method handles in static final fields, so that the JIT compiler treats them as constants. */
  private static final class Functions {
    private static final SymbolLookup FLOOR = SymbolLookup.libraryLookup(library, Arena.global());
    private static final MethodHandle ECHO = function("floor_echo_json");
    private static final MethodHandle ADD = function("floor_add16", Linker.Option.critical(true));
    private static final MethodHandle SMALL = function("floor_small", Linker.Option.critical(true));

    private static MethodHandle function(String name, Linker.Option... options) {
      AddressLayout pointer = ValueLayout.ADDRESS;
      ValueLayout.OfLong size = ValueLayout.JAVA_LONG;
      ValueLayout.OfInt number = ValueLayout.JAVA_INT;
      FunctionDescriptor type =
          FunctionDescriptor.of(number, pointer, number, pointer, size, pointer, size, pointer);
      return Linker.nativeLinker().downcallHandle(FLOOR.find(name).orElseThrow(), type, options);
    }
  }

  private static final MemorySegment REQUEST = Arena.global().allocate(CAPACITY);
  private static final MemorySegment RESPONSE = Arena.global().allocate(CAPACITY);
  private static final MemorySegment LENGTH = Arena.global().allocate(ValueLayout.JAVA_LONG);

  BareFfm(Path floor) {
    library = floor;
  }

  @Override
  String name() {
    return "FFM by hand";
  }

  @Override
  String echo(String json) {
    byte[] request = json.getBytes(StandardCharsets.UTF_8);
    MemorySegment.copy(request, 0, REQUEST, ValueLayout.JAVA_BYTE, 0, request.length);
    int length = call(Functions.ECHO, REQUEST, request.length, RESPONSE, CAPACITY);
    byte[] response = new byte[length];
    MemorySegment.copy(RESPONSE, ValueLayout.JAVA_BYTE, 0, response, 0, length);
    return new String(response, StandardCharsets.UTF_8);
  }

  @Override
  int add(byte[] request, byte[] response) {
    return call(
        Functions.ADD,
        MemorySegment.ofArray(request),
        request.length,
        MemorySegment.ofArray(response),
        response.length);
  }

  @Override
  int small(byte[] request, byte[] response) {
    return call(
        Functions.SMALL,
        MemorySegment.ofArray(request),
        request.length,
        MemorySegment.ofArray(response),
        response.length);
  }

  private static int call(
      MethodHandle function,
      MemorySegment request,
      long len,
      MemorySegment response,
      long capacity) {
    try {
      int status =
          (int)
              function.invokeExact(MemorySegment.NULL, 0, request, len, response, capacity, LENGTH);
      if (status != 0) {
        throw new IllegalStateException("the bare call gave " + status);
      }
      return (int) LENGTH.get(ValueLayout.JAVA_LONG, 0);
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }
}

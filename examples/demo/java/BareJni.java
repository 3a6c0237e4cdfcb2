import io.github.rustbridge.benchmarks.JniFloor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The bare calls through native methods. Their parameters are addresses of memory that is allocated
 * once. Java copies the arrays, which costs less than copying them in native code.
 */
final class BareJni extends Bare {
  private static final int CAPACITY = 4096;
  private static final MemorySegment REQUEST = Arena.global().allocate(CAPACITY);
  private static final MemorySegment RESPONSE = Arena.global().allocate(CAPACITY);
  private static final long FROM = REQUEST.address();
  private static final long TO = RESPONSE.address();

  BareJni(Path floor) {
    System.load(floor.toString());
  }

  @Override
  String name() {
    return "JNI by hand, addresses";
  }

  @Override
  String echo(String json) {
    byte[] request = json.getBytes(StandardCharsets.UTF_8);
    copyIn(request);
    byte[] response = new byte[length(JniFloor.echoJson(FROM, request.length, TO, CAPACITY))];
    copyOut(response, response.length);
    return new String(response, StandardCharsets.UTF_8);
  }

  @Override
  int add(byte[] request, byte[] response) {
    copyIn(request);
    int length = length(JniFloor.add16(FROM, request.length, TO, response.length));
    copyOut(response, length);
    return length;
  }

  @Override
  int small(byte[] request, byte[] response) {
    copyIn(request);
    int length = length(JniFloor.small(FROM, request.length, TO, response.length));
    copyOut(response, length);
    return length;
  }

  private static void copyIn(byte[] request) {
    MemorySegment.copy(request, 0, REQUEST, ValueLayout.JAVA_BYTE, 0, request.length);
  }

  private static void copyOut(byte[] response, int length) {
    MemorySegment.copy(RESPONSE, ValueLayout.JAVA_BYTE, 0, response, 0, length);
  }

  private static int length(long result) {
    if (result < 0) {
      throw new IllegalStateException("the bare call failed");
    }
    return (int) result;
  }
}

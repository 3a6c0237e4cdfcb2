package io.github.rustbridge;

import io.github.rustbridge.memory.Received;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Objects;

/**
 * A method whose blocking calls pass their context on to services. Those of a backend's have no
 * header to pass it in.
 */
final class ContextMethod extends Method {
  private final Method method;

  ContextMethod(PreparedMethod prepared, Method method) {
    super(prepared);
    this.method = method;
  }

  @Override
  public String call(String json) {
    return call(json, CallOptions.defaults());
  }

  @Override
  public byte[] callRawBytes(byte[] request) {
    return callRawBytes(request, CallOptions.defaults());
  }

  @Override
  public int callRaw(byte[] request, byte[] response) {
    prepared().checkRoom(response.length);
    byte[] answer = callRawBytes(request);
    if (answer.length > response.length) {
      throw new ResponseTooLargeException(answer, response.length);
    }
    System.arraycopy(answer, 0, response, 0, answer.length);
    return answer.length;
  }

  @Override
  public int callRaw(ByteBuffer request, ByteBuffer response) {
    Objects.requireNonNull(request, "request");
    if (response.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    prepared().checkRoom(response.remaining());
    byte[] bytes = new byte[request.remaining()];
    request.duplicate().get(bytes);
    byte[] answer = callRawBytes(bytes);
    if (answer.length > response.remaining()) {
      throw new ResponseTooLargeException(answer, response.remaining());
    }
    request.position(request.limit());
    response.put(answer);
    return answer.length;
  }

  @Override
  public int callRawUnshared(ByteBuffer request, ByteBuffer response) {
    return callRaw(request, response);
  }

  /** Without its context, as a response with a header is copied. */
  @Override
  public RawResponse callRawZeroCopy(byte[] request) {
    return method.callRawZeroCopy(request);
  }

  /** Likewise. */
  @Override
  public RawResponse callRawZeroCopy(ByteBuffer request) {
    return method.callRawZeroCopy(request);
  }

  /** Likewise. */
  @Override
  public RawResponse callRawZeroCopyUnshared(ByteBuffer request) {
    return method.callRawZeroCopyUnshared(request);
  }

  @Override
  protected void callInto(byte[] request, int length, Received response) {
    response.take(callRawBytes(Arrays.copyOf(request, length)));
  }
}

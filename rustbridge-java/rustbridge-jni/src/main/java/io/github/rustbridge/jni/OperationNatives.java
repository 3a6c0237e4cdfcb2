package io.github.rustbridge.jni;

import io.github.rustbridge.interop.Natives;
import java.nio.ByteBuffer;

/** The functions for what ends later, all by address. */
final class OperationNatives implements Natives {
  static final OperationNatives ALL = new OperationNatives();

  private OperationNatives() {}

  @Override
  public long address(ByteBuffer buffer) {
    return Native.address(buffer);
  }

  @Override
  public void read(long address, byte[] to) {
    Native.read(address, to);
  }

  @Override
  public void releaseResponse(long response) {
    Native.responseRelease(response);
  }

  @Override
  public int next(
      long queue,
      long events,
      long capacity,
      long arena,
      long arenaLength,
      long timeoutMillis,
      long count) {
    return Native.queuePoll(queue, events, capacity, arena, arenaLength, timeoutMillis, count);
  }

  @Override
  public int callWith(
      long handle, int entry, long header, long request, long length, long response) {
    return Native.callWith(handle, entry, header, request, length, response);
  }

  @Override
  public int newQueue(long queue, long error) {
    return Native.queueNew(queue, error);
  }

  @Override
  public int submit(long queue, long submissions, long count) {
    return Native.submit(queue, submissions, count);
  }

  @Override
  public int cancel(long operation, long error) {
    return Native.opCancel(operation, error);
  }

  @Override
  public int detach(long operation, long error) {
    return Native.opDetach(operation, error);
  }

  @Override
  public int demand(long operation, long items, long bytes, long error) {
    return Native.opDemand(operation, items, bytes, error);
  }

  @Override
  public int write(long operation, long batch, long error) {
    return Native.opWrite(operation, batch, error);
  }

  @Override
  public int end(long operation, int status, long payload, long length, long error) {
    return Native.opEnd(operation, status, payload, length, error);
  }

  @Override
  public int releaseObject(long object) {
    return Native.objectRelease(object);
  }

  @Override
  public int closeWith(long handle, long options, long report) {
    return Native.closeWith(handle, options, report);
  }

  @Override
  public int serviceDefer(long call, long number, long error) {
    return Native.serviceDefer(call, number, error);
  }

  @Override
  public int serviceReply(long number, int status, long payload, long length, long error) {
    return Native.serviceReply(number, status, payload, length, error);
  }

  @Override
  public int respond(long response, long data, long length) {
    return Native.respond(response, data, length);
  }
}

package io.github.rustbridge.objects;

import io.github.rustbridge.calls.ObjectRelease;
import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.Natives;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The number of an object, which is released once. It doesn't refer to the object of the API, so
 * that the garbage collector can find that one unreachable, and run this.
 */
public final class ObjectHandle implements Runnable {
  private final Natives natives;
  private final String instance;
  private final long number;
  private final AtomicBoolean released = new AtomicBoolean();

  private volatile boolean mayBeDropped;

  /**
   * Creates a handle.
   *
   * @param natives releases the object
   * @param instance the name of the instance that has the object, for a warning
   * @param number the object's number
   */
  public ObjectHandle(Natives natives, String instance, long number) {
    this.natives = natives;
    this.instance = instance;
    this.number = number;
  }

  /** Lets the object become unreachable without a warning. */
  public void mayBeDropped() {
    mayBeDropped = true;
  }

  /** Returns the object's number, even if the object is released. */
  public long number() {
    return number;
  }

  /** Reports whether the object was released. */
  public boolean isReleased() {
    return released.get();
  }

  /** Releases the object, if this is the first call. */
  public void release() {
    if (released.compareAndSet(false, true)) {
      // The status doesn't matter: an object that was closed with its instance is released, too.
      ObjectRelease.release(natives, number);
    }
  }

  /** Releases the object after the API's object was closed, or became unreachable. */
  @Override
  public void run() {
    if (released.get()) {
      return;
    }
    release();
    if (!mayBeDropped) {
      Loggers.of("rustbridge")
          .log(
              System.Logger.Level.WARNING,
              "an object of plugin instance `" + instance + "` was dropped without close()");
    }
  }
}

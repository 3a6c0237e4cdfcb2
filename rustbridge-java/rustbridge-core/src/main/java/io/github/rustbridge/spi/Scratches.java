package io.github.rustbridge.spi;

import java.util.function.Supplier;

/**
 * Scratch memory that calls borrow: one per platform thread, and for virtual threads a small pool, so that a million
 * of them don't own a million.
 *
 * @param <T> what is borrowed
 */
public final class Scratches<T extends Scratches.Scratch> {
  /** Something that one call at a time may use. */
  public abstract static class Scratch {
    /** Whether a call uses it: only its own thread, or the pool, looks. */
    boolean taken;

    /** For the backends. */
    protected Scratch() {}
  }

  private final ThreadLocal<T> own;
  private final Supplier<T> make;

  /**
   * Makes a set.
   *
   * @param make makes one
   */
  public Scratches(Supplier<T> make) {
    this.make = make;
    this.own = ThreadLocal.withInitial(make);
  }

  /**
   * Borrows one. Give it back in a {@code finally}.
   *
   * @return one that nobody else uses
   */
  public T take() {
    T scratch = own.get();
    if (scratch.taken) {
      scratch = make.get();
    }
    scratch.taken = true;
    return scratch;
  }

  /**
   * Gives one back.
   *
   * @param scratch what {@link #take} gave
   */
  public void give(T scratch) {
    scratch.taken = false;
  }
}

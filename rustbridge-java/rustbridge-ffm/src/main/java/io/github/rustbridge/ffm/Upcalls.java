package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Java functions that the native library calls, on any thread; the JVM attaches the thread as a
 * daemon. Each pair of a function and the function that undoes it is an object of a subclass.
 *
 * <p>A function pointer stays valid permanently, since the last call through it can't be known. But
 * it leads to this object by a weak reference, and only through method handles of the JDK.
 * Otherwise the pointer would keep this object, and so the class loader of an undeployed
 * application. Calls after that have no effect.
 *
 * <p>The native library receives a number for each object as its user data, and not a pointer. So
 * it can't reach an object that no longer exists.
 *
 * <p>No exception leaves these functions, since the JVM would end the process.
 *
 * @param <T> what is called
 */
abstract class Upcalls<T> {
  private final ConcurrentHashMap<Long, T> objects = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final String what;

  /** Whether somebody was told of one that throws. It would be told for each call otherwise. */
  private final AtomicBoolean told = new AtomicBoolean();

  private final MethodHandle enter = bound(Upcalls.class, "enter", long.class, long.class);
  private final MethodHandle forget = bound(Upcalls.class, "forget", long.class);
  private final MemorySegment call = stub(enter, JAVA_LONG, JAVA_LONG);
  private final MemorySegment drop = stub(forget, JAVA_LONG);

  /**
   * Makes the functions, for good: there is one object of each subclass.
   *
   * @param what what is called, for messages
   */
  Upcalls(String what) {
    this.what = what;
  }

  /**
   * Passes one call on. What it throws ends here.
   *
   * @param object what is called
   * @param argument what the native library says, an address mostly, valid until this returns
   */
  abstract void call(T object, long argument);

  /** Has the native library call an object, until it drops it; gives the object's number. */
  final long lend(T object) {
    long number = numbers.incrementAndGet();
    objects.put(number, object);
    return number;
  }

  /** The address of {@code void (*)(void *user_data, argument)}. */
  final long callAddress() {
    return call.address();
  }

  /** The address of {@code void (*)(void *user_data)}, by which the native library drops one. */
  final long dropAddress() {
    return drop.address();
  }

  /** The object with a number; null if it was dropped. */
  final T lent(long number) {
    return objects.get(number);
  }

  /** How many objects the native library holds. */
  final int count() {
    return objects.size();
  }

  private MethodHandle bound(Class<?> owner, String name, Class<?>... arguments) {
    return bound(MethodHandles.lookup(), owner, name, MethodType.methodType(void.class, arguments));
  }

  /** A method of this object's, as whoever has the lookup sees it. */
  final MethodHandle bound(
      MethodHandles.Lookup lookup, Class<?> owner, String name, MethodType type) {
    try {
      return lookup.findVirtual(owner, name, type).bindTo(this);
    } catch (NoSuchMethodException | IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private static MemorySegment stub(MethodHandle target, MemoryLayout... arguments) {
    return stub(target, MethodHandles.empty(target.type()), FunctionDescriptor.ofVoid(arguments));
  }

  /**
   * A function that does what a handle does as long as somebody keeps that, and then what another
   * one of the JDK's alone does.
   */
  // Restricted: a signature that isn't the header's would crash the JVM. These are.
  @SuppressWarnings("restricted")
  static MemorySegment stub(MethodHandle target, MethodHandle afterwards, FunctionDescriptor type) {
    return Linker.nativeLinker().upcallStub(weakly(target, afterwards), type, Arena.global());
  }

  /** A handle that does what another one does as long as somebody else keeps that. */
  private static MethodHandle weakly(MethodHandle target, MethodHandle afterwards) {
    MethodType type = target.type();
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    try {
      MethodHandle get =
          lookup
              .findVirtual(WeakReference.class, "get", MethodType.methodType(Object.class))
              .bindTo(new WeakReference<>(target));
      MethodHandle orNothing =
          MethodHandles.insertArguments(
              lookup.findStatic(
                  Objects.class,
                  "requireNonNullElse",
                  MethodType.methodType(Object.class, Object.class, Object.class)),
              1,
              afterwards);
      MethodHandle current =
          MethodHandles.filterReturnValue(get, orNothing)
              .asType(MethodType.methodType(MethodHandle.class));
      return MethodHandles.foldArguments(MethodHandles.exactInvoker(type), current);
    } catch (NoSuchMethodException | IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  @SuppressWarnings("UnusedMethod") // bound() finds it by its name.
  private void enter(long number, long argument) {
    try {
      T object = objects.get(number);
      if (object != null) {
        call(object, argument);
      }
    } catch (Throwable thrown) {
      tell(thrown);
    }
  }

  @SuppressWarnings("UnusedMethod") // As above.
  private void forget(long number) {
    try {
      objects.remove(number);
    } catch (Throwable thrown) {
      tell(thrown);
    }
  }

  private void tell(Throwable thrown) {
    try {
      if (told.compareAndSet(false, true)) {
        System.err.println(
            "rustbridge: " + what + " threw an exception; only the first one is reported");
        thrown.printStackTrace();
      }
    } catch (Throwable again) {
      // There's nobody left to tell.
    }
  }
}

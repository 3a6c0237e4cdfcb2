package io.github.rustbridge.ffm;

import io.github.rustbridge.LibraryNotFoundException;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.spi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The native library, opened and checked: it has every function that {@link Native} binds, and the
 * host ABI version of this backend. So binding can't fail later, during the initialization of a
 * class.
 *
 * @param path where it lies
 * @param symbols its functions
 */
record Library(Path path, SymbolLookup symbols) {
  /** The major version of the host ABI that this backend was written for. */
  static final int ABI_MAJOR = AbiLayout.RB_ABI_MAJOR;

  /** Every function of the host ABI that is used. */
  private static final String[] NAMES = {
    "rb_abi_version",
    "rb_call",
    "rb_call_into",
    "rb_call_with",
    "rb_close",
    "rb_close_with",
    "rb_describe",
    "rb_inspect",
    "rb_load",
    "rb_log_flush",
    "rb_log_set_level",
    "rb_log_set_sink",
    "rb_name",
    "rb_object_release",
    "rb_op_cancel",
    "rb_op_demand",
    "rb_op_detach",
    "rb_op_end",
    "rb_op_write",
    "rb_call_result_release",
    "rb_prepare",
    "rb_prepare_id",
    "rb_queue_new",
    "rb_queue_poll",
    "rb_respond",
    "rb_response_release",
    "rb_service_defer",
    "rb_service_reply",
    "rb_state",
    "rb_submit",
    "rb_version"
  };

  /**
   * The one that the process uses. Static because {@link Native}'s handles are: what is bound once
   * is a constant to the JIT. The native library's own state belongs to the process too.
   */
  private static volatile Library bound;

  /**
   * Opens a library for good.
   *
   * @throws LibraryNotFoundException if it can't be opened
   * @throws IllegalStateException if it isn't ours, or of another version
   */
  // Restricted: opening it runs its code. The user chose its path, or trusts the jar that it came
  // in.
  @SuppressWarnings("restricted")
  static Library open(Path path) {
    SymbolLookup symbols;
    try {
      symbols = SymbolLookup.libraryLookup(path, Arena.global());
    } catch (IllegalArgumentException error) {
      throw new LibraryNotFoundException(
          "the native library "
              + path
              + " can't be opened: is it a library for "
              + System.getProperty("os.name")
              + " on "
              + System.getProperty("os.arch")
              + "?"
              + reason(path),
          error);
    }
    return checked(path, symbols);
  }

  /** What the system's loader says of a library, which the exception of the lookup doesn't have. */
  @SuppressWarnings("restricted")
  private static String reason(Path path) {
    try {
      System.load(path.toAbsolutePath().toString());
      return "";
    } catch (UnsatisfiedLinkError error) {
      return " " + error.getMessage() + NativeLibrary.advice(error.getMessage());
    }
  }

  /**
   * Checks that a library is rustbridge's, and of the right version.
   *
   * @throws IllegalStateException if it isn't
   */
  static Library checked(Path path, SymbolLookup symbols) {
    // No stream: the first one of a process takes milliseconds, and this is on the way of its first
    // load.
    List<String> missing = new ArrayList<>();
    for (String name : NAMES) {
      if (symbols.find(name).isEmpty()) {
        missing.add(name);
      }
    }
    if (missing.size() == NAMES.length) {
      throw new IllegalStateException(
          "the library "
              + path
              + " isn't librustbridge: it exports none of its functions, such as "
              + NAMES[0]);
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "the native library "
              + path
              + " lacks "
              + String.join(", ", missing)
              + ": use the library and the jar of the same release");
    }
    checkAbi(abiVersion(symbols), path);
    return new Library(path, symbols);
  }

  // Restricted: a wrong signature would crash the JVM. This one has never changed and never will.
  @SuppressWarnings("restricted")
  private static int abiVersion(SymbolLookup symbols) {
    MethodHandle function =
        Linker.nativeLinker()
            .downcallHandle(
                symbols.find("rb_abi_version").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT));
    try {
      return (int) function.invokeExact();
    } catch (Throwable error) {
      throw unchecked(error);
    }
  }

  static void checkAbi(int version, Path path) {
    int major = version >>> 16;
    if (major != ABI_MAJOR) {
      throw new IllegalStateException(
          "the native library "
              + path
              + " has version "
              + major
              + "."
              + (version & 0xffff)
              + " of the host ABI, but this rustbridge-ffm requires version "
              + ABI_MAJOR
              + ".x: use the same release of both");
    }
  }

  /** Makes this the library of the process. */
  void bind() {
    bound = this;
  }

  static Library bound() {
    return bound;
  }

  /**
   * What a method handle threw, to be thrown on: none of ours throws anything checked, though
   * {@code invokeExact} says that it might.
   */
  static RuntimeException unchecked(Throwable error) {
    if (error instanceof Error fatal) {
      throw fatal;
    }
    return (RuntimeException) error;
  }

  MemorySegment symbol(String name) {
    return symbols.find(name).orElseThrow();
  }
}

package io.github.rustbridge.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CallTargetTest {
  private static CallTarget withSizes(long request, long response) {
    return CallTarget.of(
        new Instance(null, 1, "adder", null),
        "add",
        new MethodEntry(2, MethodEntry.LEAF, 2, request, response, 1024, 8192, 4096));
  }

  @Test
  void what_the_library_has_filled_in_is_kept() {
    CallTarget target = withSizes(16, 8);
    assertEquals(16, target.requestSize());
    assertEquals(8, target.responseSize());
    assertEquals(AbiLayout.RB_ENCODING_POD, target.encoding());
    assertTrue(target.isLeaf());
    assertEquals(1024, target.leafLimit());
    assertEquals(4096, target.storage(), "no more than is kept");
    assertEquals(4096, target.bufferLimit());
    assertFalse(target.isAsync());
  }

  @Test
  void a_struct_that_no_array_can_hold_is_refused() {
    withSizes(Integer.MAX_VALUE - 8, 0);
    for (long size : new long[] {Integer.MAX_VALUE - 7, 1L << 32, -1}) {
      IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> withSizes(0, size));
      assertEquals(
          "a struct of add has "
              + Long.toUnsignedString(size)
              + " bytes, but a Java array has at most 2147483639: make the struct smaller",
          error.getMessage());
    }
  }

  @Test
  void room_that_is_too_small_is_refused_with_both_sizes() {
    CallTarget target = withSizes(16, 8);
    target.checkRoom(8);
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> target.checkRoom(7));
    assertEquals("the response of add has 8 bytes, but there is room for 7", error.getMessage());
  }
}

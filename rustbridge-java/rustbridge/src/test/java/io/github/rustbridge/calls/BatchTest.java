package io.github.rustbridge.calls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class BatchTest {
  @Test
  void what_was_discarded_gives_nothing_to_who_takes_items() {
    Batch batch = new Batch(null, new byte[] {1, 2, 3}, 3, 0, Answer.NO_OBJECTS);
    assertArrayEquals(new byte[] {1}, batch.next().bytes());
    batch.discard();
    assertNull(batch.next());
  }
}

package io.github.rustbridge.streams;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class WorkTest {
  private final Work work = new Work();

  @Test
  void the_first_who_notes_something_has_the_task_run() {
    assertTrue(work.note());
    assertFalse(work.note());
    assertTrue(work.begins());
    assertFalse(work.note(), "the one that runs looks again");
  }

  @Test
  void a_task_that_runs_twice_looks_once() {
    assertFalse(work.begins(), "nothing was noted");
    assertTrue(work.note());
    assertTrue(work.begins());
    assertFalse(work.begins(), "another one is at it");
    assertFalse(work.goesOn());
    assertFalse(work.begins(), "another one was at it");
    assertTrue(work.note(), "nobody is at it");
  }

  @Test
  void what_is_noted_meanwhile_is_looked_at() {
    assertTrue(work.note());
    assertTrue(work.begins());
    assertFalse(work.note());
    assertFalse(work.note());
    assertTrue(work.goesOn());
    assertFalse(work.begins(), "it's looking again");
    assertFalse(work.goesOn());
  }
}

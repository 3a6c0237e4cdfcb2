package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import org.junit.jupiter.api.function.Executable;

/** Asserts of what fails with a status. */
public final class Failures {
  private Failures() {}

  /**
   * Asserts that something fails with a status.
   *
   * @param status which
   * @param act what is to fail
   * @return how it failed
   */
  public static PluginException fails(Status status, Executable act) {
    PluginException failure = assertThrows(PluginException.class, act);
    assertEquals(status, failure.status(), failure::toString);
    return failure;
  }
}

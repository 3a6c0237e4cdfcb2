// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.wire.Values;
import java.util.List;

/**
 * All students.
 *
 * @param students 34 of them.
 */
public record Students(List<Student> students) {
  /** Refuses null where there has to be something. */
  public Students {
    students = Values.list(students, "Students.students");
  }
}

// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * A student.
 *
 * @param name 43 characters.
 * @param friends From 0 to 599.
 * @param home Where the student lives.
 * @param birth Where the student was born.
 * @param date When the student was born.
 * @param subjects 34 of them.
 * @param emails 34 of 37 characters.
 * @param schools 34 of them.
 */
public record Student(
    String name,
    int friends,
    Address home,
    Address birth,
    Date date,
    List<Subject> subjects,
    List<String> emails,
    List<School> schools) {
  /** Refuses null where there has to be something. */
  public Student {
    Objects.requireNonNull(name, "Student.name");
    Objects.requireNonNull(home, "Student.home");
    Objects.requireNonNull(birth, "Student.birth");
    Objects.requireNonNull(date, "Student.date");
    subjects = Values.list(subjects, "Student.subjects");
    emails = Values.list(emails, "Student.emails");
    schools = Values.list(schools, "Student.schools");
  }
}

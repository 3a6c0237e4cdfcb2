package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.MethodEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of numbers, compared with the headers that specify them. */
class NumbersTest {
  private static final Map<String, Integer> PLUGIN = defines("rustbridge_plugin.h");
  private static final Map<String, Integer> HOST = defines("rustbridge.h");

  private static Map<String, Integer> defines(String header) {
    Map<String, Integer> numbers = new TreeMap<>();
    try {
      Matcher define =
          Pattern.compile("(?m)^#define RB_(\\w+) (\\d+)$")
              .matcher(Files.readString(Plugins.REPOSITORY.resolve("include/" + header)));
      while (define.find()) {
        numbers.put(define.group(1), Integer.parseUnsignedInt(define.group(2)));
      }
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
    return numbers;
  }

  private static Map<String, Integer> beginning(Map<String, Integer> defines, String prefix) {
    Map<String, Integer> found = new TreeMap<>();
    defines.forEach((name, number) -> {
      if (name.startsWith(prefix)) {
        found.put(name.substring(prefix.length()), number);
      }
    });
    return found;
  }

  private static <E extends Enum<E>> Map<String, Integer> table(
      E[] values, ToIntFunction<E> number) {
    return Stream.of(values)
        .collect(Collectors.toMap(Enum::name, number::applyAsInt, (a, b) -> a, TreeMap::new));
  }

  @Test
  void the_statuses_are_those_of_the_header() {
    // What has no prefix of its own and isn't about the ABI is a status; PANICKED is the author
    // side's alone.
    Map<String, Integer> statuses = new TreeMap<>(PLUGIN);
    String others =
        "(ABI|ASYNC|BATCH|CONTEXT|ENCODING|HEADER|HOST|LOG|METADATA|RECORD)_.*|PANICKED";
    statuses.keySet().removeIf(name -> name.matches(others));
    assertEquals(statuses, table(Status.values(), Status::number));
    assertEquals(17, statuses.size());
    statuses.forEach((name, number) -> assertEquals(Status.valueOf(name), Status.of(number)));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 17, 256, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void a_number_that_is_no_status_is_unknown(int number) {
    assertEquals(Status.UNKNOWN, Status.of(number));
  }

  @Test
  void the_encodings_are_those_of_the_header() {
    assertEquals(beginning(PLUGIN, "ENCODING_"), table(Encoding.values(), Encoding::number));
    for (Encoding encoding : Encoding.values()) {
      assertEquals(encoding, Encoding.of(encoding.number()));
    }
    for (int unknown : new int[] {-1, 7, Integer.MIN_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> Encoding.of(unknown));
    }
  }

  @Test
  void the_log_levels_are_those_of_the_header() {
    assertEquals(beginning(PLUGIN, "LOG_"), table(LogLevel.values(), LogLevel::number));
    for (LogLevel level : LogLevel.values()) {
      assertEquals(level, LogLevel.of(level.number()));
    }
    assertEquals(LogLevel.TRACE, LogLevel.of(6));
    assertEquals(LogLevel.OFF, LogLevel.of(-1));
  }

  @Test
  void the_states_are_those_of_the_header() {
    Map<String, Integer> states = beginning(HOST, "STATE_");
    State[] known = EnumSet.complementOf(EnumSet.of(State.UNKNOWN)).toArray(State[]::new);
    assertEquals(states, table(known, State::number));
    states.forEach((name, number) -> assertEquals(State.valueOf(name), State.of(number)));
    for (int unknown : new int[] {-1, 0, 6, 7, 99}) {
      assertEquals(State.UNKNOWN, State.of(unknown));
    }
  }

  @Test
  void the_flags_are_those_of_the_header() {
    Map<String, Integer> methods = beginning(HOST, "METHOD_");
    // Of streams and objects, which Java passes over.
    methods.keySet().removeIf(name -> name.matches("STREAM_.*|OBJECTS|RECEIVER"));
    assertEquals(Map.of("LEAF", MethodEntry.LEAF, "ASYNC", MethodEntry.ASYNC), methods);
    assertEquals(
        Map.of("LEAF", MethodEntry.CALLED_AS_LEAF, "SHARED", MethodEntry.SHARED),
        beginning(HOST, "ENTRY_"));
    assertEquals(Map.of("BYTES", Backend.BYTES), beginning(HOST, "ENCODING_"));
    Map<String, Integer> loading = beginning(HOST, "LOAD_");
    // Reserved.
    loading.remove("RUNTIME");
    assertEquals(
        Map.of(
            "POISON", LoadRequest.POISON,
            "BACKTRACE", LoadRequest.BACKTRACE,
            "OWN_COPY", LoadRequest.OWN_COPY),
        loading);
  }
}

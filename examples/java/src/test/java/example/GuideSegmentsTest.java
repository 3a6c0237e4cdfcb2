package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.ffm.SegmentMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The snippets of docs/guide/java.md that need JDK 22. */
class GuideSegmentsTest {
  private static final Path library = Path.of(System.getProperty("example.plugin"));

  @Test
  void segments() {
    try (Plugin hello = Plugin.load(library)) {
      assumeTrue(hello.backend().equals("ffm"));
      // guide
      SegmentMethod add = SegmentMethod.of(hello.method("math.add", Encoding.POD));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment request = arena.allocate(add.requestSize(), 8);
        MemorySegment response = arena.allocate(add.responseSize(), 8);
        request.set(ValueLayout.JAVA_LONG, 0, 40);
        request.set(ValueLayout.JAVA_LONG, 8, 2);
        add.callRaw(request, response);
        System.out.println(response.get(ValueLayout.JAVA_LONG, 0)); // 42
      }
      // end
      MemorySegment request = MemorySegment.ofArray(new long[] {40, 2});
      // guide
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment response = add.callRawZeroCopy(request).segment(arena);
        System.out.println(response.get(ValueLayout.JAVA_LONG, 0)); // 42
      }
      // end
    }
  }

  @Test
  void virtual_threads() throws Exception {
    List<Future<String>> answers = new ArrayList<>();
    try (Plugin hello = Plugin.load(library)) {
      // guide
      try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 1_000; i++) {
          answers.add(executor.submit(() -> hello.call("greet", "{\"name\":\"Ada\"}")));
        }
      }
      // end
    }
    for (Future<String> answer : answers) {
      assertEquals("{\"greeting\":\"Hello, Ada! Welcome to rustbridge.\"}", answer.get());
    }
  }
}

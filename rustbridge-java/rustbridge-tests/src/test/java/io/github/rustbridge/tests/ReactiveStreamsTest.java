package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Plugin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The rules of Reactive Streams, by their own kit, which is for TestNG. */
class ReactiveStreamsTest {
  /** What the kit asks for, from a plugin. */
  public static final class Kit extends FlowPublisherVerification<Long> {
    // The kit waits so long for what mustn't come, and longer for what must.
    private static final long QUIET_MILLIS = 100;
    private static final long LIMIT_MILLIS = 10_000;
    private static final Plugin PLUGIN = Plugins.operations();

    /** Made by TestNG. */
    public Kit() {
      super(new TestEnvironment(LIMIT_MILLIS, QUIET_MILLIS));
    }

    @Override
    public Flow.Publisher<Long> createFlowPublisher(long elements) {
      long end = elements == Long.MAX_VALUE ? Long.MAX_VALUE - 1 : elements;
      return PLUGIN.method("stream.numbers").publish(Map.of("from", 0, "to", end), Long.class);
    }

    @Override
    public Flow.Publisher<Long> createFailedFlowPublisher() {
      return PLUGIN.method("stream.numbers").publish(Map.of("from", 1, "to", 0), Long.class);
    }
  }

  @Test
  @Timeout(600)
  void the_kit_finds_every_rule_obeyed(@TempDir Path folder) {
    TestListenerAdapter found = new TestListenerAdapter();
    TestNG kit = new TestNG(false);
    kit.setTestClasses(new Class<?>[] {Kit.class});
    kit.setOutputDirectory(folder.toString());
    kit.addListener(found);
    kit.run();
    List<String> failed =
        found.getFailedTests().stream()
            .map(each -> each.getName() + ": " + each.getThrowable())
            .toList();
    assertEquals(List.of(), failed);
    assertTrue(found.getPassedTests().size() > 20, "the kit has run little");
    Kit.PLUGIN.close();
  }
}

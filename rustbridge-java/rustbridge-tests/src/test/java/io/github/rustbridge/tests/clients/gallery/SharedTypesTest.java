package io.github.rustbridge.tests.clients.gallery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.tests.clients.fixtures.Colour;
import io.github.rustbridge.tests.clients.fixtures.Fixtures;
import io.github.rustbridge.tests.clients.fixtures.Frame;
import io.github.rustbridge.tests.clients.fixtures.Outline;
import io.github.rustbridge.tests.clients.fixtures.Person;
import io.github.rustbridge.tests.clients.fixtures.Spot;
import io.github.rustbridge.tests.clients.fixtures.Sprite;
import io.github.rustbridge.tests.clients.fixtures.SpriteError;
import io.github.rustbridge.tests.clients.fixtures.SpriteException;
import io.github.rustbridge.tests.clients.fixtures.Tuple2;
import io.github.rustbridge.tests.clients.fixtures.TurnError;
import io.github.rustbridge.tests.clients.fixtures.TurnException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Types of two plugins: the client of the gallery uses the types of the client of the fixtures. */
@Timeout(60)
class SharedTypesTest {
  private static final PluginConfig QUIET = PluginConfig.defaults().logLevel(LogLevel.OFF);

  private final Fixtures fixtures = Fixtures.load(Plugins.path("fixtures-plugin"), QUIET);
  private final Gallery gallery = Gallery.load(Plugins.path("gallery-plugin"), QUIET);

  @AfterEach
  void close() {
    gallery.close();
    fixtures.close();
  }

  private static Frame frame(double x) {
    return new Frame(
        new Tuple2<>(new Spot(x, 2), new Spot(3, 4)),
        new Outline.Polygon(List.of(new Spot(1, 2))),
        Map.of("top", Colour.DEEP_BLUE),
        "The sea",
        2L);
  }

  @Test
  void valuesOfOnePluginArePassedToAnother() {
    Spot corner = gallery.hang(fixtures.turnedFrame(frame(1)));
    assertEquals(new Spot(3, 4), corner);
    List<Frame> hung = gallery.withColour(Colour.DEEP_BLUE);
    assertEquals(frame(1), fixtures.turnedFrame(hung.get(0)));
    assertEquals(new Outline.Circle(corner, 1), gallery.around(List.of(corner)));
    assertEquals(new Bill(1000), gallery.bill(2));
  }

  @Test
  void exceptionsOfOnePluginAreThoseOfAnother() {
    SpriteException failed = assertThrows(SpriteException.class, () -> gallery.hang(frame(-1)));
    assertEquals(new SpriteError.Outside(-1, 2), failed.error());
    assertEquals(Status.OUT_OF_RANGE, failed.status());

    // The host throws an exception of one plugin to the other, which returns it.
    Guard guard =
        (person, to) -> {
          assertEquals(36, person.age());
          new Sprite(fixtures, "", null).close();
          return to;
        };
    Person ada = new Person("Ada", 36);
    for (int time = 0; time < 2; time++) {
      SpriteException thrown =
          assertThrows(SpriteException.class, () -> gallery.visit(ada, new Spot(1, 1), guard));
      assertEquals(new SpriteError.Unnamed(), thrown.error());
      assertEquals(Status.INVALID_ARGUMENT, thrown.status());
    }
  }

  @Test
  void anExceptionOfAnotherTypeHasNoErrorForThePlugin() {
    Guard guard =
        (person, to) -> {
          throw new TurnException("no page", TurnError.LAST);
        };
    Person ada = new Person("Ada", 36);
    PluginException thrown =
        assertThrows(PluginException.class, () -> gallery.visit(ada, new Spot(1, 1), guard));
    assertEquals(PluginException.class, thrown.getClass());
    assertEquals(Status.OUT_OF_RANGE, thrown.status());
  }
}

package io.github.rustbridge.kotlin.clients.gallery

import io.github.rustbridge.LogLevel
import io.github.rustbridge.Status
import io.github.rustbridge.kotlin.clients.fixtures.Colour
import io.github.rustbridge.kotlin.clients.fixtures.Fixtures
import io.github.rustbridge.kotlin.clients.fixtures.Frame
import io.github.rustbridge.kotlin.clients.fixtures.Outline
import io.github.rustbridge.kotlin.clients.fixtures.Person
import io.github.rustbridge.kotlin.clients.fixtures.Spot
import io.github.rustbridge.kotlin.clients.fixtures.Sprite
import io.github.rustbridge.kotlin.clients.fixtures.SpriteError
import io.github.rustbridge.kotlin.clients.fixtures.SpriteException
import io.github.rustbridge.kotlin.pluginPath
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Types of two plugins: the client of the gallery uses the types of the client of the fixtures. */
@Timeout(60)
class SharedTypesTest {
    private fun both(block: (Fixtures, Gallery) -> Unit) {
        Fixtures.load(pluginPath("fixtures_plugin")) { logLevel = LogLevel.OFF }
            .use { fixtures ->
                Gallery.load(pluginPath("gallery_plugin")) { logLevel = LogLevel.OFF }
                    .use { gallery -> block(fixtures, gallery) }
            }
    }

    private fun frame(x: Double) =
        Frame(
            Spot(x, 2.0) to Spot(3.0, 4.0),
            Outline.Polygon(listOf(Spot(1.0, 2.0))),
            mapOf("top" to Colour.DEEP_BLUE),
            "The sea",
        )

    @Test
    fun `values of one plugin are passed to another`() = both { fixtures, gallery ->
        val corner = gallery.hang(fixtures.turnedFrame(frame(1.0)))
        assertEquals(Spot(3.0, 4.0), corner)
        val hung = gallery.withColour(Colour.DEEP_BLUE).single()
        assertEquals(frame(1.0), fixtures.turnedFrame(hung))
        assertEquals(Outline.Circle(corner, 1.0), gallery.around(listOf(corner)))
        assertEquals(Bill(1000u), gallery.bill(2u))
    }

    @Test
    fun `exceptions of one plugin are those of another`() = both { fixtures, gallery ->
        val failed = assertFailsWith<SpriteException> { gallery.hang(frame(-1.0)) }
        assertEquals(SpriteError.Outside(-1.0, 2.0), failed.error)
        assertEquals(Status.OUT_OF_RANGE, failed.status())

        // The host throws an exception of one plugin to the other, which returns it.
        val thrown =
            assertFailsWith<SpriteException> {
                gallery.visit(Person("Ada", 36u), Spot(1.0, 1.0)) { person, to ->
                    assertEquals(36u, person.age)
                    Sprite(fixtures, "").close()
                    to
                }
            }
        assertEquals(SpriteError.Unnamed, thrown.error)
        assertEquals(Status.INVALID_ARGUMENT, thrown.status())
    }
}

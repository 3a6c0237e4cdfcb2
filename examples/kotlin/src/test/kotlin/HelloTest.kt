import java.io.ByteArrayOutputStream
import java.io.PrintStream
import kotlin.io.path.Path
import kotlin.test.assertEquals
import org.junit.jupiter.api.Test

class HelloTest {
    @Test
    fun `the example prints what its README shows`() {
        val readme = Path(System.getProperty("example.folder"), "README.md").toFile().readText()
        val shown = readme.substringAfter("```text\n").substringBefore("```")
        val said = ByteArrayOutputStream()
        val console = System.out
        System.setOut(PrintStream(said, true))
        try {
            main(arrayOf(System.getProperty("example.plugin")))
        } finally {
            System.setOut(console)
        }
        assertEquals(shown, said.toString().replace("\r\n", "\n"))
    }
}

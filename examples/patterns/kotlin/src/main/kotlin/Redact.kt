import io.github.rustbridge.PluginException
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.system.exitProcess
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.runBlocking
import patterns.PatternError
import patterns.PatternException
import patterns.Patterns
import patterns.Rule

/**
 * Prints a log without private data such as mail addresses. The lines flow through the plugin, so
 * the file is never in memory as a whole.
 *
 * Usage: RedactKt LIBRARY RULES LOG
 */
fun main(arguments: Array<String>) {
    if (arguments.size != 3) {
        System.err.println("usage: RedactKt LIBRARY RULES LOG")
        exitProcess(2)
    }
    val (library, rules, log) = arguments.map(Path::of)
    try {
        Patterns.load(library).use { patterns -> redact(patterns, read(rules), log) }
    } catch (failed: PatternException) {
        when (val error = failed.error) {
            is PatternError.Syntax -> System.err.println("$rules: ${failed.message}")
            is PatternError.TooLarge ->
                System.err.println(
                    "$rules: `${error.pattern}` takes more memory than ${error.most}"
                )
        }
        exitProcess(2)
    } catch (failed: IOException) {
        System.err.println("$rules: $failed")
        exitProcess(2)
    }
}

private fun redact(patterns: Patterns, rules: List<Rule>, log: Path) = runBlocking {
    patterns.redactor(rules).use { redactor ->
        // If an exception stops the collection early, the stream ends in the plugin as well.
        try {
            redactor.redact(lines(log)).collect(::println)
        } catch (failed: PluginException) {
            // If the file can't be read, the error also arrives here, through the plugin, which
            // consumes its lines. The lines printed so far are redacted, but incomplete.
            System.err.println(
                "$log: it isn't redacted to its end: ${failed.type()}: ${failed.message}"
            )
            exitProcess(2)
        }
    }
}

/** Returns the lines of a file. Each line is read when it's requested. */
private fun lines(log: Path): Flow<String> = flow {
    Files.newBufferedReader(log).useLines { lines -> lines.forEach { emit(it) } }
}
    .flowOn(Dispatchers.IO)

/** Reads rules from a file. Each line has a pattern, a tab, and the replacement. */
private fun read(file: Path): List<Rule> =
    file
        .readLines()
        .filter { it.isNotBlank() }
        .map { Rule(it.substringBefore('\t'), it.substringAfter('\t', missingDelimiterValue = "")) }

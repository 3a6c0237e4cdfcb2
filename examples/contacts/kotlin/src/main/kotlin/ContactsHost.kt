import contacts.Contact
import contacts.Contacts
import contacts.Place
import contacts.Query
import contacts.Reach
import contacts.ReachError
import contacts.ReachException
import contacts.Registry
import java.nio.file.Path
import kotlinx.coroutines.runBlocking

private val BEGAN = System.nanoTime()

/**
 * A host in Kotlin for the contacts plugin. `rustbridge gen -l kotlin` has written its client.
 *
 * Usage: ContactsHostKt {ffm,jni} PATH-OF-CONTACTS-PLUGIN, with `-Drustbridge.backend` set to the
 * same backend.
 */
fun main(arguments: Array<String>): Unit = runBlocking {
    val transport = arguments[0].uppercase()
    val path = Path.of(arguments[1])
    Contacts.load(path).use { contacts ->
        val ada = Contact("Ada", Reach.Email("ada@example.org"), listOf("maths"), age = 36u)
        contacts.add(ada)
        contacts.add(Contact("Emmy", Reach.Phone(49u, "9131"), listOf("maths", "physics")))
        val count = contacts.add(Contact("Kurt", Reach.Nowhere, listOf("maths")))
        tell(transport, "$count people are kept")

        // atMost is left out: it has its default value, 10.
        for (found in contacts.find(Query("maths"))) {
            tell(transport, "${found.name} is reached ${way(found.reached)}")
        }

        if (contacts.rename("Emmy", to = "Emmy Noether")) {
            tell(transport, "Emmy has a second name now")
        }

        // A callback: the plugin calls the lambda for each contact until it returns false.
        val met = mutableListOf<String>()
        contacts.visit { contact ->
            met += contact.name
            contact.name != "Emmy Noether"
        }
        tell(transport, "the visitor has met ${met.joinToString(" and ")}")

        val middle = contacts.middle(listOf(Place(0.0, 0.0), Place(4.0, 0.0), Place(2.0, 3.0)))
        tell(transport, "the middle of three places is $middle")

        tell(transport, contacts.awaitReach(ada))
        try {
            contacts.awaitReach(Contact("Kurt", Reach.Nowhere, listOf()))
        } catch (failed: ReachException) {
            when (val error = failed.error) {
                is ReachError.Nowhere ->
                    tell(transport, "${error.name} isn't reached: ${failed.message}")
            }
        }
    }

    Contacts.load(path, registry = Homes()).use { contacts ->
        tell(transport, "it's ${contacts.distance("Ada", Place(0.0, 0.0))} to Ada's home")
    }
}

/** The service that the plugin calls. */
private class Homes : Registry {
    override suspend fun home(name: String): Place? = if (name == "Ada") Place(3.0, 4.0) else null
}

/**
 * Returns how a person is reached. The enum has a class for each variant, and the compiler reports
 * variants that are missing here.
 */
private fun way(reached: Reach): String =
    when (reached) {
        is Reach.Email -> "by mail to ${reached.address}"
        is Reach.Phone -> "by phone, +${reached.country} ${reached.number}"
        Reach.Nowhere -> "not at all"
    }

/** Prints a text as a line of JSON, with the time since the start of the program. */
private fun tell(transport: String, text: String) {
    val at = (System.nanoTime() - BEGAN) / 1_000_000
    println(
        """{"host":"Kotlin","transport":"$transport","happened":"typed","text":"$text","at_ms":$at}"""
    )
}

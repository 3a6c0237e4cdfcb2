// A host in C# that calls the contacts plugin through the client that `rustbridge gen -l csharp` has written.
//
// Usage: ContactsHost PATH-OF-CONTACTS-PLUGIN
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using ContactsClient;

long began = Stopwatch.GetTimestamp();

byte[] file = [.. "Ada:"u8, 0x89, .. "PNG\r\n"u8, 0x1a, .. "\n"u8];
using (Contacts contacts = Contacts.Load(args[0]))
{
    var ada = new Contact("Ada", new Reach.Email("ada@example.org"), ["maths"], 36);
    contacts.Add(ada);
    contacts.Add(new Contact("Emmy", new Reach.Phone(49, "9131"), ["maths", "physics"]));
    uint count = contacts.Add(new Contact("Kurt", new Reach.Nowhere(), ["maths"]));
    Tell("typed", $"{count} people are kept");

    // AtMost is left out: it has its default value, 10.
    foreach (Contact found in contacts.Find(new Query("maths")))
    {
        Tell("typed", $"{found.Name} is reached {Way(found.Reached)}");
    }

    if (contacts.Rename("Emmy", to: "Emmy Noether"))
    {
        Tell("typed", "Emmy has a second name now");
    }

    // A callback: the plugin calls the lambda for each contact until it returns false.
    var met = new List<string>();
    contacts.Visit(contact =>
    {
        met.Add(contact.Name);
        return contact.Name != "Emmy Noether";
    });
    Tell("typed", $"the visitor has met {string.Join(" and ", met)}");

    contacts.Portray(new Portrait("Ada", "image/png"), file.AsMemory(4));
    (Portrait portrait, byte[] image) = contacts.Portrait("Ada");
    Tell("typed", $"the picture of {portrait.Name} has {image.Length} bytes");

    Place middle = contacts.Middle([new Place(0, 0), new Place(4, 0), new Place(2, 3)]);
    Tell("typed", $"the middle of three places is {middle}");

    Tell("typed", await contacts.ReachAsync(ada));
    try
    {
        await contacts.ReachAsync(new Contact("Kurt", new Reach.Nowhere(), []));
    }
    catch (ReachException failed) when (failed.Error is ReachError.Nowhere nowhere)
    {
        Tell("typed", $"{nowhere.Name} isn't reached: {failed.Message}");
    }
}

using (Contacts contacts = Contacts.Load(args[0], registry: new Homes()))
{
    Tell("typed", $"it's {contacts.Distance("Ada", new Place(0, 0))} to Ada's home");
}

// Returns how a person is reached. The enum has a class for each variant.
static string Way(Reach reached) => reached switch
{
    Reach.Email email => $"by mail to {email.Address}",
    Reach.Phone phone => $"by phone, +{phone.Country} {phone.Number}",
    _ => "not at all",
};

// Prints a text as a line of JSON, with the time since the start of the program.
void Tell(string what, string text)
{
    var at = (long)Stopwatch.GetElapsedTime(began).TotalMilliseconds;
    Console.WriteLine(JsonSerializer.Serialize(
        new { host = "C#", transport = "P/Invoke", happened = what, text, at_ms = at }));
}

/// <summary>The service that the plugin calls. To answer later, implement HomeAsync.</summary>
sealed class Homes : IRegistry
{
    public Place? Home(string name) => name == "Ada" ? new Place(3, 4) : null;
}

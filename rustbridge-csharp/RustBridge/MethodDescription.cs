using System.Collections.Generic;

namespace RustBridge;

/// <summary>A method, as its plugin describes it.</summary>
/// <param name="Name">The name, which is unique in the plugin.</param>
/// <param name="Id">The numeric ID, or null.</param>
/// <param name="Doc">The documentation text, or empty.</param>
/// <param name="Entries">
/// One entry for each encoding. Entries with an encoding or kind that this version doesn't know are omitted.
/// </param>
public sealed record MethodDescription(string Name, uint? Id, string Doc, IReadOnlyList<EntryDescription> Entries)
{
    /// <summary>Finds the entry of an encoding.</summary>
    /// <param name="encoding">The encoding.</param>
    /// <returns>The entry, or null if the method doesn't have that encoding.</returns>
    public EntryDescription? Entry(PluginEncoding encoding)
    {
        foreach (EntryDescription entry in Entries)
        {
            if (entry.Encoding == encoding)
            {
                return entry;
            }
        }

        return null;
    }
}

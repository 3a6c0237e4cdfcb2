using System.Collections.Generic;

namespace RustBridge;

/// <summary>A method, as its plugin describes it.</summary>
/// <param name="Name">Unique in the plugin.</param>
/// <param name="Id">Its number, if it has one.</param>
/// <param name="Doc">Prose, or empty.</param>
/// <param name="Entries">One for each encoding it has; those of an encoding or a kind that this version doesn't know are left out.</param>
public sealed record MethodDescription(string Name, uint? Id, string Doc, IReadOnlyList<EntryDescription> Entries)
{
    /// <summary>Finds the entry for an encoding.</summary>
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

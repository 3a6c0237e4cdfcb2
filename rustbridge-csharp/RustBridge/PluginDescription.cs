using System.Collections.Generic;
using System.Text.Json;

namespace RustBridge;

/// <summary>What a plugin says of itself.</summary>
/// <param name="Json">The description as the plugin gave it, for whatever else is in it.</param>
/// <param name="Abi">The plugin ABI version it was built for, e.g. <c>1.0</c>.</param>
/// <param name="Name">The plugin's name.</param>
/// <param name="Version">The plugin's version.</param>
/// <param name="Description">Prose, or empty.</param>
/// <param name="Config">JSON Schema of the configuration.</param>
/// <param name="Methods">The methods.</param>
public sealed record PluginDescription(
    string Json,
    string Abi,
    string Name,
    string Version,
    string Description,
    JsonElement Config,
    IReadOnlyList<MethodDescription> Methods)
{
    /// <summary>Finds a method by name.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The method, or null if there's none.</returns>
    public MethodDescription? Method(string name)
    {
        foreach (MethodDescription method in Methods)
        {
            if (method.Name == name)
            {
                return method;
            }
        }

        return null;
    }
}

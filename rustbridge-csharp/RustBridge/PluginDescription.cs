using System;
using System.Collections.Generic;
using System.Text.Json;
using RustBridge.Internal;

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
    /// <summary>Gives what a plugin says of itself without making an instance of it. Its library is mapped for that, and its code runs.</summary>
    /// <param name="path">The library's file.</param>
    /// <returns>The description.</returns>
    /// <exception cref="PluginException">It can't be loaded; the status says why.</exception>
    /// <exception cref="LibraryNotFoundException">There is no native library of rustbridge's.</exception>
    public static PluginDescription Of(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Descriptions.Read(ExtractedFiles.Use(path, static file => Plugin.DescribeJson(file, [])));
    }

    /// <summary>Gives what a plugin says of itself, as <see cref="Of(string)"/> does, from the bytes of its library.</summary>
    /// <param name="image">All bytes of the library.</param>
    /// <returns>The description.</returns>
    /// <exception cref="PluginException">It can't be loaded; the status says why.</exception>
    /// <exception cref="LibraryNotFoundException">There is no native library of rustbridge's.</exception>
    public static PluginDescription Of(ReadOnlySpan<byte> image)
    {
        Throw.IfEmpty(image);
        return Descriptions.Read(Plugin.DescribeJson(null, image));
    }

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

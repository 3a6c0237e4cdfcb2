using System;
using System.Collections.Generic;
using System.Text.Json;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>The description of a plugin.</summary>
/// <param name="Json">The description as the plugin wrote it, for its other members.</param>
/// <param name="Abi">The version of the plugin ABI for which the plugin was built, e.g. <c>1.0</c>.</param>
/// <param name="Name">The plugin's name.</param>
/// <param name="Version">The plugin's version.</param>
/// <param name="Description">The plugin's documentation text, or empty.</param>
/// <param name="Config">The JSON Schema of the configuration.</param>
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
    /// <summary>
    /// Returns a plugin's description without creating an instance. This maps the library and runs its code.
    /// </summary>
    /// <param name="path">The library's file.</param>
    /// <returns>The description.</returns>
    /// <exception cref="PluginException">The plugin can't be loaded; the status is the reason.</exception>
    /// <exception cref="LibraryNotFoundException">The native library of rustbridge wasn't found.</exception>
    public static PluginDescription Of(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Descriptions.Read(ExtractedFiles.Use(path, static file => Plugin.DescribeJson(file, [])));
    }

    /// <summary>Returns a plugin's description from the bytes of its library, like <see cref="Of(string)"/>.</summary>
    /// <param name="image">All bytes of the library.</param>
    /// <returns>The description.</returns>
    /// <exception cref="PluginException">The plugin can't be loaded; the status is the reason.</exception>
    /// <exception cref="LibraryNotFoundException">The native library of rustbridge wasn't found.</exception>
    public static PluginDescription Of(ReadOnlySpan<byte> image)
    {
        Throw.IfEmpty(image);
        return Descriptions.Read(Plugin.DescribeJson(null, image));
    }

    /// <summary>Finds a method by name.</summary>
    /// <param name="name">The method's name.</param>
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

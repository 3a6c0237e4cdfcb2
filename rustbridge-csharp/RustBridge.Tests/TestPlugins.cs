using System;
using System.Collections.Generic;
using System.IO;

namespace RustBridge.Tests;

/// <summary>The plugins that the tests load.</summary>
internal static class TestPlugins
{
    /// <summary>The repository's folder.</summary>
    internal static string Repository { get; } = FindRepository();

    internal static string Folder { get; } =
        Environment.GetEnvironmentVariable("RUSTBRIDGE_PLUGIN_DIR") is { Length: > 0 } set
            ? set
            : Path.Combine(Repository, "target", "release");

    internal static string Hello => File("hello_plugin");

    internal static string Conformance => File("conformance_plugin");

    internal static string Operations => File("operations_plugin");

    internal static string Types => File("types_plugin");

    internal static string Fixtures => File("fixtures_plugin");

    internal static string Gallery => File("gallery_plugin");

    internal static Plugin LoadOperations(PluginConfig? config = null) => Plugin.Load(Operations, config);

    internal static Plugin LoadHello(PluginConfig? config = null) => Plugin.Load(Hello, config);

    internal static Plugin LoadConformance(PluginConfig? config = null) =>
        Plugin.Load(Conformance, (config ?? new PluginConfig()) with { Json = """{"label":"tests"}""" });

    /// <summary>A library's file, by the name of its crate.</summary>
    internal static string File(string crate)
    {
        string name =
            OperatingSystem.IsWindows() ? $"{crate}.dll"
            : OperatingSystem.IsMacOS() ? $"lib{crate}.dylib"
            : $"lib{crate}.so";
        string file = Path.Combine(Folder, name);
        return System.IO.File.Exists(file)
            ? file
            : throw new FileNotFoundException(
                $"{file} isn't there: run `cargo build --release`, or set RUSTBRIDGE_PLUGIN_DIR to where the plugins are");
    }

    private static string FindRepository()
    {
        foreach (string start in new[] { AppContext.BaseDirectory, Environment.CurrentDirectory })
        {
            for (DirectoryInfo? folder = new(start); folder is not null; folder = folder.Parent)
            {
                if (System.IO.File.Exists(Path.Combine(folder.FullName, "Cargo.toml")))
                {
                    return folder.FullName;
                }
            }
        }

        throw new DirectoryNotFoundException("the tests run inside the repository, whose cases they read");
    }
}

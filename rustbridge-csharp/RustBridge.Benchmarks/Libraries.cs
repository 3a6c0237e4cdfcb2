using System;
using System.IO;
using System.Runtime.InteropServices;

namespace RustBridge.Benchmarks;

/// <summary>Where the natives are, and the plugins that are measured.</summary>
internal static class Libraries
{
    private static readonly string Folder =
        Environment.GetEnvironmentVariable("RUSTBRIDGE_PLUGIN_DIR") is { Length: > 0 } folder
            ? folder
            : throw new InvalidOperationException("RUSTBRIDGE_PLUGIN_DIR has to name the folder of the natives");

    internal static string HelloPath => PathOf("hello_plugin");

    /// <summary>Lets the runtime find the floor. Has to come before its first call.</summary>
    internal static void FindFloor() =>
        NativeLibrary.SetDllImportResolver(
            typeof(Libraries).Assembly,
            static (name, _, _) => name == Floor.Library ? NativeLibrary.Load(PathOf(name)) : 0);

    internal static Plugin Hello() => Plugin.Load(HelloPath);

    internal static Plugin Bench(PluginConfig? config = null) => Plugin.Load(PathOf("bench_plugin"), config);

    internal static Plugin Conformance() =>
        Plugin.Load(PathOf("conformance_plugin"), new PluginConfig { Json = """{"label":"benchmarks"}""" });

    private static string PathOf(string crate)
    {
        string name =
            OperatingSystem.IsWindows() ? $"{crate}.dll"
            : OperatingSystem.IsMacOS() ? $"lib{crate}.dylib"
            : $"lib{crate}.so";
        return Path.Combine(Folder, name);
    }
}

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Reflection;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>The entry point of the processes that some tests need for themselves; the test runner doesn't use it.</summary>
internal static class ChildProcess
{
    internal static int Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["library"]:
                return Library();
            case ["finder", string folder]:
                return Finder(folder);
            case ["exit without closing"]:
                return ExitWithoutClosing();
            case ["scenario", string name]:
                return Scenarios.Run(name);
            case ["tests", .. string[] leftOut]:
                return InProcessRunner.Run(leftOut);
            default:
                Console.Error.WriteLine("the scenarios are for the tests that start them");
                return 2;
        }
    }

    /// <summary>How many times as often as usual tests do what they repeat: `cargo xtask soak` says it.</summary>
    internal static int Soak { get; } =
        int.Parse(Environment.GetEnvironmentVariable("RUSTBRIDGE_SOAK") ?? "1", CultureInfo.InvariantCulture);

    /// <summary>Starts this assembly anew.</summary>
    /// <param name="environment">Variables to set; null removes one.</param>
    /// <param name="arguments">What <see cref="Main"/> is to do.</param>
    /// <returns>What it has printed, and its exit code.</returns>
    internal static async Task<(string Output, int ExitCode)> Run(
        Dictionary<string, string?> environment, params string[] arguments)
    {
        string host = Environment.ProcessPath ?? "dotnet";
        Assembly assembly = typeof(ChildProcess).Assembly;
        var start = new ProcessStartInfo { RedirectStandardOutput = true, RedirectStandardError = true };
        if (Path.GetFileNameWithoutExtension(host) == assembly.GetName().Name)
        {
            // Published with its own .NET, see InProcessRunner.
            start.FileName = host;
        }
        else
        {
            start.FileName = Path.GetFileNameWithoutExtension(host) == "dotnet" ? host : "dotnet";
            start.ArgumentList.Add("exec");
            start.ArgumentList.Add(assembly.Location);
        }

        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task exited = process.WaitForExitAsync();
        if (await Task.WhenAny(exited, Task.Delay(TimeSpan.FromSeconds(150 * Soak))) != exited)
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"`{string.Join(' ', arguments)}` hasn't ended in {150 * Soak} seconds: {await output}{await errors}");
        }

        return (await output + await errors, process.ExitCode);
    }

    /// <summary>Runs a scenario in a process of its own and asserts that it ends well.</summary>
    /// <typeparam name="T">The scenario.</typeparam>
    /// <param name="environment">Variables to set.</param>
    /// <returns>What it has printed.</returns>
    internal static async Task<string> Succeeds<T>(Dictionary<string, string?>? environment = null)
        where T : IScenario, new()
    {
        (string output, int exitCode) = await Run(environment ?? [], "scenario", typeof(T).FullName!);
        Assert.True(exitCode == 0 && output.Contains(Scenarios.Done, StringComparison.Ordinal), $"{typeof(T).Name} ended with {exitCode}: {output}");
        return output;
    }

    private static int Library()
    {
        // A failure isn't final: it's looked for anew each time.
        for (int attempt = 0; attempt < 2; attempt++)
        {
            try
            {
                Console.WriteLine(Plugin.NativeVersion);
            }
            catch (LibraryNotFoundException error)
            {
                Console.WriteLine(error.Message);
            }
        }

        return 0;
    }

    /// <summary>Finds the library in a folder, in a process that has none loaded yet.</summary>
    private static int Finder(string folder)
    {
        try
        {
            Console.WriteLine(new NativeLibraryFinder(null, [folder]).Load() == 0 ? "nothing" : "loaded");
        }
        catch (LibraryNotFoundException error)
        {
            Console.WriteLine(error.Message);
        }

        return 0;
    }

    private static int ExitWithoutClosing()
    {
        Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = _ => { }, LogLevel = LogLevel.Trace });
        plugin.Call("log.emit", """{"level":"INFO","message":"m","count":2000}""");
        Console.WriteLine("called");
        return 7;
    }
}

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Starts processes for the tests that need one for themselves.</summary>
internal static class ChildProcess
{
    /// <summary>Longer than <see cref="Scenarios"/> waits, which can tell more of what hangs.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(150);

    /// <summary>How to start this assembly anew.</summary>
    /// <param name="arguments">What <see cref="ChildProgram.Main"/> is to do.</param>
    /// <returns>The program and its arguments.</returns>
    internal static string[] Command(params string[] arguments)
    {
        string host = Environment.ProcessPath ?? "dotnet";
        Assembly assembly = typeof(ChildProcess).Assembly;
        string name = Path.GetFileNameWithoutExtension(host);
        // Published with its own .NET, see InProcessRunner.
        return name == assembly.GetName().Name
            ? [host, .. arguments]
            : [name == "dotnet" ? host : "dotnet", "exec", assembly.Location, .. arguments];
    }

    /// <summary>How many times as often as usual tests do what they repeat: `cargo xtask soak` says it.</summary>
    internal static int Soak { get; } =
        int.Parse(Environment.GetEnvironmentVariable("RUSTBRIDGE_SOAK") ?? "1", CultureInfo.InvariantCulture);

    /// <summary>Starts this assembly anew.</summary>
    /// <param name="environment">Variables to set; null removes one.</param>
    /// <param name="arguments">What <see cref="ChildProgram.Main"/> is to do.</param>
    /// <returns>What it has printed, and its exit code.</returns>
    internal static async Task<(string Output, int ExitCode)> Run(
        Dictionary<string, string?> environment, params string[] arguments)
    {
        string[] command = Command(arguments);
        var start = new ProcessStartInfo(command[0], command.Skip(1));
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        return await TimedProcess.Run(start, Limit * Soak);
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
}

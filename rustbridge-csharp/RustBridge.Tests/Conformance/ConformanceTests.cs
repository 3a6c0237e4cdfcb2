using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Xunit;
using Xunit.Abstractions;

namespace RustBridge.Tests.Conformance;

/// <summary>
/// Every case of <c>conformance/</c>, in each of the ways C# has to call a method: the judge runs them on the <see cref="Testee"/>.
/// </summary>
public sealed class ConformanceTests(ITestOutputHelper log)
{
    /// <summary>Longer than building the judge and running every case take on a slow machine.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(15);

    [Fact]
    public async Task The_judge_finds_every_case_right()
    {
        ProcessStartInfo start = Judge();
        foreach (string argument in (string[])["run", "--host", "csharp/pinvoke", "--total", "600"])
        {
            start.ArgumentList.Add(argument);
        }

        start.ArgumentList.Add("--plugins");
        start.ArgumentList.Add(TestPlugins.Folder);
        start.ArgumentList.Add("--testee");
        foreach (string argument in ChildProcess.Command("testee"))
        {
            start.ArgumentList.Add(argument);
        }

        (string output, int exitCode) = await TimedProcess.Run(start, Limit);
        log.WriteLine(output);
        Assert.True(exitCode == 0, output);
    }

    /// <summary>The judge that was built before, or cargo's, which builds it.</summary>
    private static ProcessStartInfo Judge()
    {
        const string name = "rustbridge-conformance";
        var start = new ProcessStartInfo { WorkingDirectory = TestPlugins.Repository };
        if (Environment.GetEnvironmentVariable("RUSTBRIDGE_CONFORMANCE_JUDGE") is { Length: > 0 } built)
        {
            start.FileName = built;
            return start;
        }

        start.FileName = "cargo";
        foreach (string argument in (string[])["run", "--quiet", "--package", name, "--bin", name, "--"])
        {
            start.ArgumentList.Add(argument);
        }

        return start;
    }
}

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

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task exited = process.WaitForExitAsync();
        if (await Task.WhenAny(exited, Task.Delay(Limit)) != exited)
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"the judge hasn't ended: {await output}{await errors}");
        }

        log.WriteLine(await output);
        Assert.True(process.ExitCode == 0, await output + await errors);
    }

    /// <summary>The judge that was built before, or cargo's, which builds it.</summary>
    private static ProcessStartInfo Judge()
    {
        const string name = "rustbridge-conformance";
        var start = new ProcessStartInfo
        {
            WorkingDirectory = TestPlugins.Repository,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
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

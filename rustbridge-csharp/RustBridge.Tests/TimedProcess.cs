using System;
using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Runs a program to its end, which has to come in time.</summary>
internal static class TimedProcess
{
    /// <summary>Starts it and waits. One that takes longer is ended with all that it has started, and the test with it.</summary>
    /// <param name="start">What to start; its output is redirected here.</param>
    /// <param name="limit">How long it may take.</param>
    /// <returns>What it has printed, to both outputs in the order of arrival, and its exit code.</returns>
    internal static async Task<(string Output, int ExitCode)> Run(ProcessStartInfo start, TimeSpan limit)
    {
        var printed = new StringBuilder();
        void Keep(object sender, DataReceivedEventArgs line)
        {
            if (line.Data is not null)
            {
                lock (printed)
                {
                    printed.AppendLine(line.Data);
                }
            }
        }

        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using var process = new Process { StartInfo = start };
        process.OutputDataReceived += Keep;
        process.ErrorDataReceived += Keep;
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        using var late = new CancellationTokenSource(limit);
        try
        {
            await process.WaitForExitAsync(late.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            lock (printed)
            {
                string command = $"{start.FileName} {string.Join(' ', start.ArgumentList)}";
                Assert.Fail($"`{command}` hasn't ended in {limit.TotalSeconds} seconds; it has printed:{Environment.NewLine}{printed}");
            }
        }

        return ($"{printed}", process.ExitCode);
    }
}

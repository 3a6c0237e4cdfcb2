using System;
using System.IO;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;

namespace RustBridge.Benchmarks;

/// <summary>How long and how often is measured: here, and in the project of peers, which compiles this file as well.</summary>
internal static class Lengths
{
    private const int Whole = 3;
    private const int Iterations = 5;

    /// <summary>How many rounds there are.</summary>
    internal static int Rounds(bool quick) => quick ? 1 : Whole;

    internal static ManualConfig Configuration(bool quick)
    {
        // In this process: the README says why.
        Job job = Job.Default
            .WithToolchain(new InProcessEmitToolchain(TimeSpan.FromMinutes(5), logOutput: true))
            .WithOutlierMode(OutlierMode.DontRemove)
            .WithWarmupCount(quick ? 1 : 2)
            .WithIterationCount(quick ? 3 : Iterations)
            .WithIterationTime(TimeInterval.FromMilliseconds(quick ? 20 : 60))
            .WithMinIterationTime(TimeInterval.FromMilliseconds(quick ? 10 : 40));
        return ManualConfig.CreateEmpty()
            .AddJob(job)
            .AddDiagnoser(MemoryDiagnoser.Default)
            .AddLogger(ConsoleLogger.Default)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .WithArtifactsPath(Path.Combine(AppContext.BaseDirectory, "artifacts"))
            .WithOptions(ConfigOptions.DisableLogFile);
    }

    internal static string Method(bool quick) => quick
        ? "one round: 1 iteration of 20 ms to warm up and 3 that count, in one process"
        : $"{Whole} rounds: 2 iterations of 60 ms to warm up and {Iterations} that count each, in one process";
}

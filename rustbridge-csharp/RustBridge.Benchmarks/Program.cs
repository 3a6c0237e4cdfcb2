using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;

namespace RustBridge.Benchmarks;

/// <summary>Runs the benchmarks, in several rounds so that a disturbance doesn't hit one side only.</summary>
internal static class Program
{
    private static readonly Type[] All =
    [
        typeof(Pods), typeof(Bigs), typeof(Objects), typeof(Texts), typeof(Raws), typeof(Threads), typeof(Tasks),
        typeof(Lifecycle),
    ];

    /// <summary>Usage: RustBridge.Benchmarks [--quick] [--only TEXT] [--result FILE].</summary>
    internal static int Main(string[] arguments)
    {
        bool quick = arguments.Contains("--quick");
        string? only = After(arguments, "--only");
        Libraries.FindFloor();
        var measures = new List<Measure>();
        for (int round = 0; round < (quick ? 1 : 5); round++)
        {
            IConfig config = Configuration(quick);
            foreach (Type type in All)
            {
                Summary summary = BenchmarkRunner.Run(Chosen(type, only, config));
                if (summary.HasCriticalValidationErrors || summary.Reports.Any(report => !report.Success))
                {
                    Console.Error.WriteLine($"{type.Name} failed");
                    return 1;
                }

                measures.AddRange(summary.Reports.Select(Measure.Of));
            }
        }

        if (measures.Count == 0)
        {
            Console.Error.WriteLine("nothing was measured");
            return 1;
        }

        if (After(arguments, "--result") is { } file)
        {
            Measure.Write(measures, file);
        }

        return 0;
    }

    private static BenchmarkRunInfo Chosen(Type type, string? only, IConfig config)
    {
        BenchmarkRunInfo all = BenchmarkConverter.TypeToBenchmarks(type, config);
        BenchmarkCase[] chosen = all.BenchmarksCases
            .Where(one => only is null || one.DisplayInfo.Contains(only, StringComparison.OrdinalIgnoreCase))
            .ToArray();
        return new BenchmarkRunInfo(chosen, all.Type, all.Config);
    }

    private static ManualConfig Configuration(bool quick)
    {
        // In this process: the README says why.
        Job job = Job.Default
            .WithToolchain(new InProcessEmitToolchain(TimeSpan.FromMinutes(5), logOutput: true))
            .WithOutlierMode(OutlierMode.DontRemove)
            .WithWarmupCount(2)
            .WithIterationCount(quick ? 3 : 4)
            .WithIterationTime(TimeInterval.FromMilliseconds(quick ? 30 : 60))
            .WithMinIterationTime(TimeInterval.FromMilliseconds(quick ? 20 : 40));
        return ManualConfig.CreateEmpty()
            .AddJob(job)
            .AddDiagnoser(MemoryDiagnoser.Default)
            .AddLogger(ConsoleLogger.Default)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .WithArtifactsPath(Path.Combine(AppContext.BaseDirectory, "artifacts"))
            .WithOptions(ConfigOptions.DisableLogFile);
    }

    private static string? After(string[] arguments, string name)
    {
        int at = Array.IndexOf(arguments, name);
        return at < 0 ? null : arguments.ElementAtOrDefault(at + 1);
    }
}

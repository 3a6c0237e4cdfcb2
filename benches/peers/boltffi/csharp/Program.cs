using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using RustBridge.Benchmarks;

namespace Peers;

/// <summary>Runs the benchmarks by BenchmarkDotNet, as long and as often as our own, and writes measures.</summary>
internal static class Program
{
    private const string Usage = "Peers.Benchmarks [--list] [--quick] [--only TEXT]";
    private const string Host = "csharp";
    private const string Subject = "boltffi";

    internal static int Main(string[] arguments)
    {
        bool list = false, quick = false;
        string only = "";
        for (int i = 0; i < arguments.Length; i++)
        {
            switch (arguments[i])
            {
                case "--list":
                    list = true;
                    break;
                case "--quick":
                    quick = true;
                    break;
                case "--only" when i + 1 < arguments.Length:
                    only = arguments[++i];
                    break;
                default:
                    Console.Error.WriteLine(Usage);
                    return 2;
            }
        }

        BenchmarkRunInfo all = BenchmarkConverter.TypeToBenchmarks(typeof(Calls), Lengths.Configuration(quick));
        BenchmarkCase[] chosen = all.BenchmarksCases
            .Where(benchmark => Scenario(benchmark).Contains(only, StringComparison.OrdinalIgnoreCase))
            .ToArray();
        if (list)
        {
            foreach (BenchmarkCase benchmark in chosen)
            {
                Console.WriteLine($"{Scenario(benchmark)}\t{Host}\t\t{Subject}\t1");
            }

            return 0;
        }

        WarmUp.Quick = quick;
        return chosen.Length == 0 || Measure(new BenchmarkRunInfo(chosen, all.Type, all.Config), quick) ? 0 : 1;
    }

    private static bool Measure(BenchmarkRunInfo info, bool quick)
    {
        var measured = new Dictionary<string, Row>();
        for (int round = 0; round < Lengths.Rounds(quick); round++)
        {
            Summary summary = BenchmarkRunner.Run(info);
            if (summary.HasCriticalValidationErrors || summary.Reports.Any(report => !report.Success))
            {
                return false;
            }

            foreach (BenchmarkReport report in summary.Reports)
            {
                string scenario = Scenario(report.BenchmarkCase);
                if (!measured.TryGetValue(scenario, out Row? row))
                {
                    long? bytes = report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase);
                    measured[scenario] = row = new Row(scenario, Host, Subject, 1, [], bytes, "benchmarkdotnet");
                }

                row.Ns.AddRange(
                    from measurement in report.AllMeasurements
                    where measurement.Is(IterationMode.Workload, IterationStage.Result)
                    select measurement.Nanoseconds / measurement.Operations);
            }
        }

        if (Environment.GetEnvironmentVariable("RUSTBRIDGE_BENCH_ROWS") is { Length: > 0 } folder)
        {
            string file = Path.Combine(folder, $"peers-{Host}-{Subject}.json");
            File.WriteAllText(file, JsonSerializer.Serialize(measured.Values, Form));
        }

        return true;
    }

    private static string Scenario(BenchmarkCase benchmark) =>
        benchmark.Descriptor.WorkloadMethod.GetCustomAttribute<BenchmarkAttribute>()!.Description!;

    private static readonly JsonSerializerOptions Form = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    /// <summary>A measure as the results have it.</summary>
    private sealed record Row(
        string Scenario, string Host, string Subject, int Threads, List<double> Ns, long? AllocBytes, string Harness);
}

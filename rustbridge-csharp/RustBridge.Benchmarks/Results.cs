using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;

namespace RustBridge.Benchmarks;

/// <summary>What one benchmark method measured in one round; <c>cargo xtask bench</c> makes measures of all rounds.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Kind"><c>ours</c> or <c>floor</c>.</param>
/// <param name="Threads">How many called at once.</param>
/// <param name="Ns">Nanoseconds of one call, by iteration.</param>
/// <param name="Bytes">What one call allocates on all threads together.</param>
internal sealed record Round(string Scenario, string Kind, int Threads, IReadOnlyList<double> Ns, long? Bytes)
{
    internal static Round Of(BenchmarkReport report)
    {
        Row row = Row.Of(report.BenchmarkCase);
        IEnumerable<double> ns =
            from measurement in report.AllMeasurements
            where measurement.Is(IterationMode.Workload, IterationStage.Result)
            select measurement.Nanoseconds / measurement.Operations;
        long? bytes = report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase);
        return new Round(row.Scenario, row.Kind, row.Threads, ns.ToArray(), bytes);
    }
}

/// <summary>Percentiles of single operations in nanoseconds, with the clock's own time in them.</summary>
/// <param name="Count">How many operations.</param>
/// <param name="P50">Half of them took no longer.</param>
/// <param name="P90">90 % of them took no longer.</param>
/// <param name="P99">99 % of them took no longer.</param>
/// <param name="P999">99.9 % of them took no longer.</param>
/// <param name="Clock">What reading the clock twice takes, median.</param>
internal sealed record Percentiles(int Count, double P50, double P90, double P99, double P999, double Clock);

/// <summary>The single operations of one subject in one scenario.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Host">The caller's language.</param>
/// <param name="Transport">Its way to the core.</param>
/// <param name="Subject"><c>ours</c> or <c>floor</c>.</param>
/// <param name="Single">What was found.</param>
internal sealed record SingleRow(string Scenario, string Host, string Transport, string Subject, Percentiles Single);

/// <summary>How to write them.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(IReadOnlyList<Round>))]
[JsonSerializable(typeof(IReadOnlyList<SingleRow>))]
internal sealed partial class ResultJson : JsonSerializerContext
{
    internal static void Write(IReadOnlyList<Round> rounds, string file) =>
        File.WriteAllText(file, JsonSerializer.Serialize(rounds, Default.IReadOnlyListRound));

    internal static void Write(IReadOnlyList<SingleRow> singles, string file) =>
        File.WriteAllText(file, JsonSerializer.Serialize(singles, Default.IReadOnlyListSingleRow));
}

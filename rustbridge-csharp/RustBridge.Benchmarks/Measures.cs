using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Parameters;
using BenchmarkDotNet.Reports;

namespace RustBridge.Benchmarks;

/// <summary>What one benchmark method measured in one round, for <c>cargo xtask bench</c>.</summary>
/// <param name="Scenario">The row's scenario.</param>
/// <param name="Kind"><c>ours</c>, <c>floor</c>, or the name of a part of the floor.</param>
/// <param name="Threads">How many called at once.</param>
/// <param name="Ns">Nanoseconds of one call, by iteration.</param>
/// <param name="Bytes">What one call allocates on all threads together, by iteration.</param>
internal sealed record Measure(
    [property: JsonPropertyName("scenario")] string Scenario,
    [property: JsonPropertyName("kind")] string Kind,
    [property: JsonPropertyName("threads")] int Threads,
    [property: JsonPropertyName("ns")] IReadOnlyList<double> Ns,
    [property: JsonPropertyName("bytes")] long? Bytes)
{
    internal static Measure Of(BenchmarkReport report)
    {
        RowAttribute row = report.BenchmarkCase.Descriptor.WorkloadMethod.GetCustomAttribute<RowAttribute>()!;
        string scenario = row.Scenario;
        int threads = 1;
        foreach (ParameterInstance parameter in report.BenchmarkCase.Parameters.Items)
        {
            scenario = scenario.Replace($"{{{parameter.Name}}}", $"{parameter.Value}", System.StringComparison.Ordinal);
            threads = parameter.Name == nameof(Benchmarks.Threads.Count) ? (int)parameter.Value : threads;
        }

        IEnumerable<double> ns =
            from measurement in report.AllMeasurements
            where measurement.Is(IterationMode.Workload, IterationStage.Result)
            select measurement.Nanoseconds / measurement.Operations;
        long? bytes = report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase);
        return new Measure(scenario, row.Kind, threads, ns.ToArray(), bytes);
    }

    internal static void Write(IReadOnlyList<Measure> measures, string file) =>
        File.WriteAllText(file, JsonSerializer.Serialize(measures, MeasureJson.Default.IReadOnlyListMeasure));
}

/// <summary>How to write them.</summary>
[JsonSourceGenerationOptions(WriteIndented = true)]
[JsonSerializable(typeof(IReadOnlyList<Measure>))]
internal sealed partial class MeasureJson : JsonSerializerContext;

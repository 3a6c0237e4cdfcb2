using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using BenchmarkDotNet.Parameters;
using BenchmarkDotNet.Running;

namespace RustBridge.Benchmarks;

/// <summary>What a benchmark measures, in the catalogue's words.</summary>
/// <param name="Scenario">The scenario with its variant.</param>
/// <param name="Kind"><c>ours</c> or <c>floor</c>.</param>
/// <param name="Threads">How many call at once.</param>
internal sealed record Row(string Scenario, string Kind, int Threads)
{
    internal static Row Of(BenchmarkCase benchmark) =>
        Of(benchmark.Descriptor.WorkloadMethod.GetCustomAttribute<RowAttribute>()!, benchmark.Parameters.Items);

    internal static Row Of(RowAttribute attribute, IReadOnlyList<ParameterInstance> parameters)
    {
        string scenario = attribute.Scenario;
        int threads = 1;
        foreach (ParameterInstance parameter in parameters)
        {
            scenario = scenario.Replace($"{{{parameter.Name}}}", $"{parameter.Value}", StringComparison.Ordinal);
            threads = parameter.Name == nameof(Benchmarks.Threads.Together) ? (int)parameter.Value : threads;
        }

        return new Row(scenario, attribute.Kind, threads);
    }

    /// <summary>Gives it as <c>--list</c> prints it.</summary>
    internal string Line() => string.Join('\t', Scenario, "csharp", "pinvoke", Kind, Threads);
}

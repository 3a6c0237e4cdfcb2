using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Parameters;
using BenchmarkDotNet.Running;

namespace RustBridge.Benchmarks;

/// <summary>
/// Times operations one by one, which BenchmarkDotNet doesn't: its samples are means of many. It comes after the rounds,
/// when everything has been compiled for good.
/// </summary>
internal sealed class Singles(bool quick)
{
    private const int Fewest = 200;

    private static readonly MethodInfo TimeMethod = typeof(Singles).GetMethod(nameof(Time), BindingFlags.NonPublic | BindingFlags.Static)!;

    private readonly TimeSpan _pause = TimeSpan.FromMilliseconds(quick ? 20 : 120);
    private readonly int _most = quick ? 1_000 : 10_000;
    private readonly TimeSpan _longest = TimeSpan.FromSeconds(quick ? 0.1 : 1);
    private readonly double _clock = Quantile(Enumerable.Range(0, 10_000).Select(_ => ClockTime()).ToArray(), 0.5);

    /// <summary>Times whatever the chosen benchmarks' classes say is to be timed so, of those scenarios.</summary>
    internal IEnumerable<SingleRow> Of(IReadOnlyList<BenchmarkCase> chosen)
    {
        Row[] rows = chosen.Select(Row.Of).ToArray();
        var instances =
            from benchmark in chosen
            group benchmark by (benchmark.Descriptor.Type, benchmark.Parameters.DisplayInfo) into alike
            select alike.First();
        foreach (BenchmarkCase one in instances)
        {
            IReadOnlyList<ParameterInstance> parameters = one.Parameters.Items;
            (Row Row, MethodInfo Method)[] methods = (
                from method in one.Descriptor.Type.GetMethods()
                let attribute = method.GetCustomAttribute<RowAttribute>()
                where attribute is { Single: true }
                let row = Row.Of(attribute, parameters)
                where row.Threads == 1 && rows.Contains(row)
                select (row, method)).ToArray();
            if (methods.Length == 0)
            {
                continue;
            }

            object instance = Activator.CreateInstance(one.Descriptor.Type)!;
            foreach (ParameterInstance parameter in parameters)
            {
                one.Descriptor.Type.GetProperty(parameter.Name)!.SetValue(instance, parameter.Value);
            }

            Call<GlobalSetupAttribute>(instance);
            foreach ((Row row, MethodInfo method) in methods)
            {
                yield return new SingleRow(row.Scenario, "csharp", "pinvoke", row.Kind, Time(instance, method));
            }

            Call<GlobalCleanupAttribute>(instance);
        }
    }

    private Percentiles Time(object instance, MethodInfo method)
    {
        Delegate operation = method.CreateDelegate(typeof(Func<>).MakeGenericType(method.ReturnType), instance);
        MethodInfo time = TimeMethod.MakeGenericMethod(method.ReturnType);
        double[] Run(int count) => (double[])time.Invoke(null, [operation, count])!;

        // Those that are no benchmarks haven't been called yet; the compiler takes its time.
        Run(Fewest / 4);
        Thread.Sleep(_pause);
        double usual = Quantile(Run(Fewest / 4), 0.5);
        Thread.Sleep(_pause);
        int count = (int)Math.Clamp(_longest.TotalNanoseconds / Math.Max(usual, 1), Fewest, _most);
        GC.Collect();
        double[] ns = Run(count);
        return new Percentiles(
            count, Quantile(ns, 0.5), Quantile(ns, 0.9), Quantile(ns, 0.99), Quantile(ns, 0.999), _clock);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static double[] Time<T>(Func<T> operation, int count)
    {
        double[] ns = new double[count];
        for (int i = 0; i < ns.Length; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            T result = operation();
            ns[i] = Nanoseconds(Stopwatch.GetTimestamp() - begin);
            GC.KeepAlive(result);
        }

        return ns;
    }

    private static double ClockTime()
    {
        long begin = Stopwatch.GetTimestamp();
        return Nanoseconds(Stopwatch.GetTimestamp() - begin);
    }

    private static double Nanoseconds(long ticks) => ticks * (1e9 / Stopwatch.Frequency);

    private static double Quantile(double[] values, double share)
    {
        double[] sorted = values.Order().ToArray();
        double place = share * (sorted.Length - 1);
        int low = (int)place;
        int high = Math.Min(low + 1, sorted.Length - 1);
        return double.Lerp(sorted[low], sorted[high], place - low);
    }

    private static void Call<TAttribute>(object instance)
        where TAttribute : Attribute =>
        instance.GetType().GetMethods().Single(method => method.IsDefined(typeof(TAttribute))).Invoke(instance, null);
}

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>
/// Gets the JIT compiler to its last tier before anything is measured. It compiles on a thread of its own, some time
/// after the thirtieth call, and again once it has counted what the code does: short iterations would be over by then.
/// </summary>
internal static class WarmUp
{
    private const int Calls = 100;

    private static readonly HashSet<Type> Done = [];

    /// <summary>Whether the last tier isn't worth waiting for.</summary>
    internal static bool Quick { get; set; }

    /// <summary>Calls every benchmark method of a class, the first time that it's asked for.</summary>
    internal static void Once(object benchmarks)
    {
        // What is emitted for a run derives from our class.
        Type type = benchmarks.GetType();
        while (type.Assembly != typeof(WarmUp).Assembly)
        {
            type = type.BaseType!;
        }

        if (!Done.Add(type))
        {
            return;
        }

        var calls = new List<Func<object?>>();
        foreach (MethodInfo method in type.GetMethods())
        {
            if (method.IsDefined(typeof(BenchmarkAttribute)))
            {
                calls.Add(() => method.Invoke(benchmarks, null));
            }
        }

        var mostOfOne = TimeSpan.FromMilliseconds(Quick ? 10 : 50);
        for (int pass = 0; pass < (Quick ? 3 : 4); pass++)
        {
            foreach (Func<object?> call in calls)
            {
                var clock = Stopwatch.StartNew();
                for (int i = 0; i < Calls && clock.Elapsed < mostOfOne; i++)
                {
                    (call() as Task)?.Wait();
                }
            }

            Thread.Sleep(Quick ? 120 : 250);
        }
    }
}

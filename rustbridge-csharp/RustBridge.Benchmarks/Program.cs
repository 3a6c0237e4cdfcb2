using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace RustBridge.Benchmarks;

/// <summary>Runs the benchmarks, in several rounds so that a disturbance doesn't hit one side only.</summary>
internal static class Program
{
    private static readonly Type[] All =
    [
        typeof(Pods), typeof(Numbers), typeof(Bigs), typeof(Threads), typeof(Objects), typeof(Texts), typeof(Raws),
        typeof(Echoes), typeof(Blobs), typeof(Sums), typeof(Returns), typeof(Any), typeof(Structs), typeof(Errors),
        typeof(Tables), typeof(Tasks), typeof(Lifecycle), typeof(Later), typeof(Adders),
        typeof(Streams), typeof(Asked), typeof(Greeters), typeof(Typed), typeof(TypedAny), typeof(TypedRows),
    ];

    internal static int Main(string[] words)
    {
        Arguments arguments;
        try
        {
            arguments = new Arguments(words);
        }
        catch (ArgumentException error)
        {
            Console.Error.WriteLine($"{error.Message}\n{Arguments.Usage}");
            return 2;
        }

        BenchmarkRunInfo[] chosen = Choose(arguments);
        if (arguments.List)
        {
            foreach (Row row in chosen.SelectMany(info => info.BenchmarksCases).Select(Row.Of))
            {
                Console.WriteLine(row.Line());
            }

            return 0;
        }

        if (chosen.Length == 0)
        {
            Console.Error.WriteLine("no benchmark is called so");
            return 1;
        }

        Libraries.FindFloor();
        WarmUp.Quick = arguments.Quick;
        return Measure(chosen, arguments);
    }

    private static int Measure(BenchmarkRunInfo[] chosen, Arguments arguments)
    {
        var rounds = new List<Round>();
        // What fails once isn't tried again, and what the others have measured isn't lost to it.
        var failed = new HashSet<Type>();
        for (int number = 0; number < Lengths.Rounds(arguments.Quick); number++)
        {
            foreach (BenchmarkRunInfo info in chosen.Where(info => !failed.Contains(info.Type)))
            {
                Summary summary = BenchmarkRunner.Run(info);
                if (summary.HasCriticalValidationErrors || summary.Reports.Any(report => !report.Success))
                {
                    Console.Error.WriteLine($"{info.Type.Name} failed");
                    failed.Add(info.Type);
                    continue;
                }

                rounds.AddRange(summary.Reports.Select(Round.Of));
            }
        }

        if (arguments.Result is { } file)
        {
            ResultJson.Write(rounds, file);
        }

        if (Environment.GetEnvironmentVariable("RUSTBRIDGE_BENCH_ROWS") is { Length: > 0 } folder)
        {
            BenchmarkCase[] cases = chosen
                .Where(info => !failed.Contains(info.Type)).SelectMany(info => info.BenchmarksCases).ToArray();
            ResultJson.Write(new Singles(arguments.Quick).Of(cases).ToArray(), Path.Combine(folder, "singles-benchmarkdotnet.json"));
            File.WriteAllText(Path.Combine(folder, "method-benchmarkdotnet.txt"), Lengths.Method(arguments.Quick));
        }

        return failed.Count == 0 ? 0 : 1;
    }

    private static BenchmarkRunInfo[] Choose(Arguments arguments)
    {
        IConfig config = Lengths.Configuration(arguments.Quick);
        var chosen =
            from type in All
            let all = BenchmarkConverter.TypeToBenchmarks(type, config)
            let cases = all.BenchmarksCases.Where(arguments.Wants).ToArray()
            where cases.Length > 0
            select new BenchmarkRunInfo(cases, all.Type, all.Config);
        return chosen.ToArray();
    }
}

using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Running;

namespace RustBridge.Benchmarks;

/// <summary>What the command line asks for.</summary>
internal sealed class Arguments
{
    internal const string Usage = """
        RustBridge.Benchmarks [--list] [--quick] [--only TEXT]... [--filter GLOB]... [--result FILE]
          --list         prints what there is, measuring nothing: scenario, host, transport, subject and threads between tabs
          --quick        one short round: enough for a look, not for a claim
          --only TEXT    the scenarios whose name contains this, and the classes or methods
          --filter GLOB  as BenchmarkDotNet has it, by class and method: *Pods*, *.Blobs.Lease
          --result FILE  where each round's times go as JSON
        """;

    private readonly List<string> _only = [];
    private readonly List<string> _globs = [];

    internal Arguments(IReadOnlyList<string> arguments)
    {
        for (int i = 0; i < arguments.Count; i++)
        {
            string Value() => ++i < arguments.Count ? arguments[i] : throw new ArgumentException($"{arguments[^1]} wants a value");
            switch (arguments[i])
            {
                case "--list":
                    List = true;
                    break;
                case "--quick":
                    Quick = true;
                    break;
                case "--only":
                    _only.Add(Value());
                    break;
                case "--filter":
                    _globs.Add(Value());
                    break;
                case "--result":
                    Result = Value();
                    break;
                case var other:
                    throw new ArgumentException($"{other} isn't known");
            }
        }
    }

    internal bool List { get; }

    internal bool Quick { get; }

    internal string? Result { get; }

    internal bool Wants(BenchmarkCase benchmark)
    {
        string name = $"{benchmark.Descriptor.Type.Name}.{benchmark.Descriptor.WorkloadMethod.Name}";
        string scenario = Row.Of(benchmark).Scenario;
        bool Named(string text) =>
            scenario.Contains(text, StringComparison.OrdinalIgnoreCase) || name.Contains(text, StringComparison.OrdinalIgnoreCase);
        return (_only.Count == 0 || _only.Exists(Named))
            && (_globs.Count == 0 || new GlobFilter([.. _globs]).Predicate(benchmark));
    }
}

using System;

namespace RustBridge.Benchmarks;

/// <summary>
/// Which row of the table a benchmark method belongs to. A parameter's name in braces stands for its value.
/// </summary>
/// <param name="kind">What the method is to the row.</param>
/// <param name="scenario">The row's scenario.</param>
[AttributeUsage(AttributeTargets.Method)]
internal abstract class RowAttribute(string kind, string scenario) : Attribute
{
    internal string Kind { get; } = kind;

    internal string Scenario { get; } = scenario;
}

/// <summary>The call as users make it.</summary>
/// <param name="scenario">The row's scenario.</param>
internal sealed class OursAttribute(string scenario) : RowAttribute("ours", scenario);

/// <summary>The hand-written call that does the same work.</summary>
/// <param name="scenario">The row's scenario.</param>
internal sealed class FloorAttribute(string scenario) : RowAttribute("floor", scenario);

/// <summary>A part of the work; the floor is the sum of all parts, each measured by itself.</summary>
/// <param name="part">What it is.</param>
/// <param name="scenario">The row's scenario.</param>
internal sealed class PartAttribute(string part, string scenario) : RowAttribute(part, scenario);

using System;

namespace RustBridge.Benchmarks;

/// <summary>
/// Which scenario of the catalogue a benchmark method belongs to. A parameter's name in braces stands for its value.
/// </summary>
/// <param name="kind">What the method is to the scenario.</param>
/// <param name="scenario">The scenario.</param>
[AttributeUsage(AttributeTargets.Method)]
internal abstract class RowAttribute(string kind, string scenario) : Attribute
{
    internal string Kind { get; } = kind;

    internal string Scenario { get; } = scenario;

    /// <summary>
    /// Whether single operations are timed as well. A method that's no benchmark itself is there for that only, since the
    /// benchmark does many operations at once.
    /// </summary>
    public bool Single { get; set; }
}

/// <summary>The call as users make it.</summary>
/// <param name="scenario">The scenario.</param>
internal sealed class OursAttribute(string scenario) : RowAttribute("ours", scenario);

/// <summary>The hand-written call that does the same work.</summary>
/// <param name="scenario">The scenario.</param>
internal sealed class FloorAttribute(string scenario) : RowAttribute("floor", scenario);

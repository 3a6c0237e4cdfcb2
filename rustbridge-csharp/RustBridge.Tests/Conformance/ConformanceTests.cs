using System;
using System.Linq;
using Xunit;

namespace RustBridge.Tests.Conformance;

/// <summary>Every case of <c>conformance/</c>, in each of the ways C# has to call a method.</summary>
public sealed class ConformanceTests
{
    public static readonly TheoryData<Way, string> Runs = AllRuns();

    [Theory]
    [MemberData(nameof(Runs))]
    public void A_case_gives_what_every_host_must_get(Way way, string id) =>
        Results.Record(id, () => new CaseRun(Cases.ById[id], way).Run());

    [Fact]
    public void Only_the_cases_beyond_a_typed_api_are_left_out()
    {
        Assert.Equal(668, Cases.All.Count);
        Assert.Equal(668, Cases.ById.Count);
        string[] leftOut = [.. Cases.All.Where(one => !Cases.IsExpressible(one)).Select(one => $"{one.GetProperty("needs")}")];
        Assert.Equal(Enumerable.Repeat("""["c-abi"]""", 17), leftOut);
        Assert.Equal(651 * Enum.GetValues<Way>().Length, Runs.Count);
    }

    private static TheoryData<Way, string> AllRuns()
    {
        var runs = new TheoryData<Way, string>();
        foreach (Way way in Enum.GetValues<Way>())
        {
            foreach (string id in Cases.ById.Keys.Where(id => Cases.IsExpressible(Cases.ById[id])))
            {
                runs.Add(way, id);
            }
        }

        return runs;
    }
}

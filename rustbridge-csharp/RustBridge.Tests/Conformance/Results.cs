using System;
using System.IO;
using System.Text.RegularExpressions;

namespace RustBridge.Tests.Conformance;

/// <summary>Tells how a case ended, for the table of all hosts (<c>docs/conformance.md</c>).</summary>
internal static class Results
{
    /// <summary>The folder for the lines; without it there are none.</summary>
    private static readonly string? Folder = Environment.GetEnvironmentVariable("RUSTBRIDGE_CONFORMANCE_RESULTS");

    /// <summary>Runs a case and appends a line: its id and how it ended, with a tab between.</summary>
    /// <param name="id">The case's id.</param>
    /// <param name="run">Runs it, and throws if it isn't right.</param>
    internal static void Record(string id, Action run)
    {
        try
        {
            run();
        }
        catch (Exception problem)
        {
            Write(id, "failed: " + Regex.Replace(problem.Message, @"\s+", " "));
            throw;
        }

        Write(id, "passed");
    }

    private static void Write(string id, string outcome)
    {
        if (!string.IsNullOrEmpty(Folder))
        {
            string file = Path.Combine(Folder, "csharp-pinvoke.tsv");
            File.AppendAllText(file, $"{id}\t{outcome}\n");
        }
    }
}

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>The documents of the repository, and what tests have between <c>// guide</c> and <c>// end</c>.</summary>
internal static class Repository
{
    internal static string Read(string path) => File.ReadAllText(Path.Combine(TestPlugins.Repository, path)).ReplaceLineEndings("\n");

    /// <summary>The fenced blocks of one language in a document.</summary>
    internal static List<string> Fences(string path, string language) =>
        [.. Regex.Matches(Read(path), $"^```{language}\n(.*?)^```$", RegexOptions.Singleline | RegexOptions.Multiline)
            .Select(match => match.Groups[1].Value)];

    /// <summary>
    /// The snippets of a source. One whose braces are open goes on at the next <c>// guide</c>, so that a test can look at
    /// what is in them.
    /// </summary>
    internal static List<string> Snippets(string path)
    {
        var found = new List<string>();
        var lines = new List<string>();
        bool inside = false;
        foreach (string line in Read(path).Split('\n'))
        {
            switch (line.Trim())
            {
                case "// guide":
                    inside = true;
                    break;
                case "// end":
                    inside = false;
                    if (lines.Sum(text => text.Count(c => c == '{') - text.Count(c => c == '}')) == 0)
                    {
                        found.Add(WithoutIndent(lines));
                        lines.Clear();
                    }

                    break;
                default:
                    if (inside)
                    {
                        lines.Add(line);
                    }

                    break;
            }
        }

        Assert.Empty(lines);
        return found;
    }

    private static string WithoutIndent(List<string> lines)
    {
        while (lines[^1].Length == 0)
        {
            lines.RemoveAt(lines.Count - 1);
        }

        int indent = lines.Where(line => line.Length != 0).Min(line => line.Length - line.TrimStart().Length);
        var text = new StringBuilder();
        foreach (string line in lines)
        {
            text.Append(line.Length == 0 ? "" : line[indent..]).Append('\n');
        }

        return text.ToString();
    }
}

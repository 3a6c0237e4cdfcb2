using System;
using System.IO;
using System.Threading.Tasks;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>No test runs beside those of it: what the others write to the console would be read as the example's.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ReadsTheConsole
{
    internal const string Name = "reads the console";
}

[Collection(ReadsTheConsole.Name)]
public sealed class ExampleTests
{
    [Fact]
    public async Task The_example_prints_what_its_readme_shows()
    {
        string shown = Assert.Single(Repository.Fences("examples/csharp/README.md", "text"));
        using var said = new StringWriter();
        TextWriter console = Console.Out;
        Console.SetOut(said);
        try
        {
            await Example.Hello.Main([TestPlugins.Hello]);
        }
        finally
        {
            Console.SetOut(console);
        }

        Assert.Equal(shown, said.ToString().ReplaceLineEndings("\n"));
    }
}

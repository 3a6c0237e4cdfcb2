using System;
using System.IO;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

[Collection("writes to the console")]
public sealed class ExampleTests
{
    [Fact]
    public void The_example_prints_what_its_readme_shows()
    {
        string shown = Assert.Single(Repository.Fences("examples/csharp/README.md", "text"));
        using var said = new StringWriter();
        TextWriter console = Console.Out;
        Console.SetOut(said);
        try
        {
            Example.Hello.Main([TestPlugins.Hello]);
        }
        finally
        {
            Console.SetOut(console);
        }

        Assert.Equal(shown, said.ToString().ReplaceLineEndings("\n"));
    }
}

using System;
using System.IO;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Where files of a program that is one file may be; the suite <c>packages</c> runs such a program.</summary>
public sealed class ExtractedFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("rustbridge-tests-");

    private string Application => Path.Combine(_folder.FullName, "application");

    private string Extracted => Path.Combine(_folder.FullName, "extracted");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("plugin/kit")]
    [InlineData("plugin/libkit.so")]
    [InlineData("./plugin/../plugin/kit")]
    public void A_file_below_the_program_is_looked_for_where_it_was_extracted(string below)
    {
        Directory.CreateDirectory(Path.Combine(Extracted, "plugin"));
        string expected = Path.Combine(Extracted, "plugin", Path.GetFileName(below));
        string nowhere = Path.Combine(_folder.FullName, "nowhere");
        Assert.Equal([expected], ExtractedFiles.Of(Path.Combine(Application, below), Application, [nowhere, Extracted]));
    }

    [Theory]
    [InlineData("../plugin/kit")]
    [InlineData("..")]
    public void A_file_elsewhere_is_not_looked_for(string elsewhere)
    {
        Directory.CreateDirectory(Path.Combine(_folder.FullName, "plugin"));
        Directory.CreateDirectory(Extracted);
        Assert.Empty(ExtractedFiles.Of(Path.Combine(Application, elsewhere), Application, [Extracted]));
    }
}

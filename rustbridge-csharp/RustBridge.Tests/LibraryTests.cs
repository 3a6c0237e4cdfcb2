using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

public sealed class LibraryTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("rustbridge-tests-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void There_is_advice_where_threads_have_no_memory_left()
    {
        string advice = NativeLibraryFinder.Advice("x.so: cannot allocate memory in static TLS block");
        Assert.Contains("GLIBC_TUNABLES=glibc.rtld.optional_static_tls", advice);
        Assert.Equal("", NativeLibraryFinder.Advice("x.so: file too short"));
    }

    [Fact]
    public async Task Without_a_library_the_message_lists_every_place()
    {
        (string output, int exitCode) = await ChildProcess.Run(new() { [NativeLibraryFinder.Variable] = null }, "library");
        Assert.Equal(0, exitCode);
        string beside = Path.GetDirectoryName(typeof(Plugin).Assembly.Location)!;
        string rid = NativeLibraryFinder.RuntimeIdentifiers().Last();
        string packaged = Path.Combine(beside, "runtimes", rid, "native", NativeLibraryFinder.FileName);
        Assert.Equal(2, output.Split($"{packaged} (the package's): no such file").Length - 1);
        string file = Path.Combine(beside, NativeLibraryFinder.FileName);
        Assert.Contains($"{file} (next to the assembly): no such file", output, StringComparison.Ordinal);
        Assert.Contains("(the application's native assets, then the system's search): ", output, StringComparison.Ordinal);
        Assert.Contains("`cargo xtask build` in rustbridge's repository builds it", output, StringComparison.Ordinal);
        Assert.Contains($"set {NativeLibraryFinder.Variable} to that file or its folder", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_setting_that_is_wrong_is_an_error_at_once()
    {
        (string output, int exitCode) = await ChildProcess.Run(new() { [NativeLibraryFinder.Variable] = _folder.FullName }, "library");
        Assert.Equal(0, exitCode);
        string file = Path.Combine(_folder.FullName, NativeLibraryFinder.FileName);
        Assert.Contains($"{file} ({NativeLibraryFinder.Variable}={_folder.FullName}): no such file", output, StringComparison.Ordinal);
        Assert.DoesNotContain("next to the assembly", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_no_library_is_named()
    {
        string file = Path.Combine(_folder.FullName, "no library");
        await File.WriteAllTextAsync(file, "no library");
        (string output, _) = await ChildProcess.Run(new() { [NativeLibraryFinder.Variable] = file }, "library");
        Assert.Contains($"{file} ({NativeLibraryFinder.Variable}={file}): ", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_library_that_is_not_rustbridges_is_named()
    {
        string file = TestPlugins.Hello;
        (string output, int exitCode) = await ChildProcess.Run(new() { [NativeLibraryFinder.Variable] = file }, "library");
        Assert.Equal(0, exitCode);
        Assert.Equal(2, output.Split($"{file} ({NativeLibraryFinder.Variable}={file}): a library, but not librustbridge").Length - 1);
    }

    [Fact]
    public async Task The_package_comes_before_the_assemblys_folder()
    {
        string beside = Path.Combine(_folder.FullName, NativeLibraryFinder.FileName);
        string native = Path.Combine(_folder.FullName, "runtimes", NativeLibraryFinder.RuntimeIdentifiers().Last(), "native");
        string packaged = Path.Combine(Directory.CreateDirectory(native).FullName, NativeLibraryFinder.FileName);
        await File.WriteAllTextAsync(beside, "no library");
        await File.WriteAllTextAsync(packaged, "no library");
        (string output, _) = await ChildProcess.Run([], "finder", _folder.FullName);
        int first = output.IndexOf($"{packaged} (the package's): ", StringComparison.Ordinal);
        int second = output.IndexOf($"{beside} (next to the assembly): ", StringComparison.Ordinal);
        Assert.True(first > 0 && second > first, output);

        File.Copy(InstalledLibrary(), beside, overwrite: true);
        Assert.Equal("loaded" + Environment.NewLine, (await ChildProcess.Run([], "finder", _folder.FullName)).Output);
        File.Delete(beside);
        File.Copy(InstalledLibrary(), packaged, overwrite: true);
        Assert.Equal("loaded" + Environment.NewLine, (await ChildProcess.Run([], "finder", _folder.FullName)).Output);
    }

    [Fact]
    public void A_setting_names_a_file_or_a_folder()
    {
        string library = InstalledLibrary();
        Assert.NotEqual(0, new NativeLibraryFinder(library, []).Load());
        Assert.NotEqual(0, new NativeLibraryFinder(Path.GetDirectoryName(library), []).Load());
    }

    [Fact]
    public void The_library_is_not_called_as_the_assembly_is_where_case_is_nothing()
    {
        string assembly = Path.GetFileName(typeof(Plugin).Assembly.Location);
        Assert.NotEqual(assembly, NativeLibraryFinder.FileName, StringComparer.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_process_may_end_without_closing_its_plugins()
    {
        Assert.Equal(("called" + Environment.NewLine, 7), await ChildProcess.Run([], "exit without closing"));
    }

    /// <summary>The library that this process uses.</summary>
    private static string InstalledLibrary()
    {
        string setting = Environment.GetEnvironmentVariable(NativeLibraryFinder.Variable)!;
        Assert.False(string.IsNullOrEmpty(setting), $"the tests need {NativeLibraryFinder.Variable}");
        return Directory.Exists(setting) ? Path.Combine(setting, NativeLibraryFinder.BuiltFileName) : setting;
    }
}

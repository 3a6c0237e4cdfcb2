using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>The program in the README is built and run as it stands there.</summary>
public sealed class ReadmeTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("rustbridge-readme-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task The_program_in_the_readme_greets_Ada()
    {
        string program = Assert.Single(Repository.Fences("README.md", "csharp"));
        Assert.Contains("target/release/libhello.so", program, StringComparison.Ordinal);
        // The tests of the C examples build the plugin of the README. Here hello-plugin stands in for it, because it answers alike.
        string library = Path.GetFileName(TestPlugins.Hello).Replace("hello_plugin", "hello", StringComparison.Ordinal);
        string place = _folder.CreateSubdirectory("target/release").FullName;
        File.Copy(TestPlugins.Hello, Path.Combine(place, library));
        string application = _folder.CreateSubdirectory("app").FullName;
        await File.WriteAllTextAsync(
            Path.Combine(application, "Program.cs"), program.Replace("libhello.so", library, StringComparison.Ordinal));
        await File.WriteAllTextAsync(Path.Combine(application, "app.csproj"), Project());
        Assert.Equal("""{"greeting":"Hello, Ada! Welcome to rustbridge."}""", (await Dotnet("run", "--project", "app")).Trim());
    }

    /// <summary>
    /// As <c>dotnet new console</c> writes it, but that nothing is asked for that only programs for the web need. The reference
    /// is to what is built already, so that nothing is built twice.
    /// </summary>
    private static string Project() =>
        $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net{Environment.Version.Major}.0</TargetFramework>
            <ImplicitUsings>enable</ImplicitUsings>
            <Nullable>enable</Nullable>
            <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads>
          </PropertyGroup>
          <ItemGroup>
            <Reference Include="{typeof(Plugin).Assembly.Location}" />
          </ItemGroup>
        </Project>
        """;

    private async Task<string> Dotnet(params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", arguments)
        {
            WorkingDirectory = _folder.FullName,
        };
        // What the runner of these tests has set for itself isn't for another build.
        foreach (string name in new[] { "MSBuildSDKsPath", "MSBuildExtensionsPath", "MSBUILD_EXE_PATH", "DOTNET_CLI_TELEMETRY_SESSIONID" })
        {
            start.Environment.Remove(name);
        }

        start.Environment["DOTNET_NOLOGO"] = "1";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        // It restores and builds, on a machine that may be busy with the other tests.
        (string output, int exitCode) = await TimedProcess.Run(start, TimeSpan.FromMinutes(10));
        Assert.True(exitCode == 0, output);
        return output;
    }
}
